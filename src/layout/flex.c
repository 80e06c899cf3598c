#include "layout/engine.h"
void wn_flex_step(wn_lay *lay, wn_frame *frame)
{
    frame->step = wn_flow_step;
    wn_flow_step(lay, frame);
}
void wn_flex_intrinsic(wn_lay *lay, uint32_t box)
{
    (void)lay;
    (void)box;
}
void wn_table_step(wn_lay *lay, wn_frame *frame)
{
    frame->step = wn_flow_step;
    wn_flow_step(lay, frame);
}
void wn_table_intrinsic(wn_lay *lay, uint32_t box)
{
    (void)lay;
    (void)box;
}
void wn_grid_step(wn_lay *lay, wn_frame *frame)
{
    frame->step = wn_flow_step;
    wn_flow_step(lay, frame);
}
void wn_grid_intrinsic(wn_lay *lay, uint32_t box)
{
    (void)lay;
    (void)box;
}
