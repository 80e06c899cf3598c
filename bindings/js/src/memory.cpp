// What uchardet needs of the C++ library: memory. The library itself would bring files with it, which
// a module in a browser does not have.
#include <stdlib.h>

#include <new>

void *operator new(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        __builtin_trap(); // without exceptions nobody could be told
    return memory;
}

void *operator new[](size_t size)
{
    return operator new(size);
}

void operator delete(void *memory) noexcept
{
    free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
    free(memory);
}

void operator delete[](void *memory) noexcept
{
    free(memory);
}

void operator delete[](void *memory, size_t) noexcept
{
    free(memory);
}

extern "C" void __cxa_pure_virtual()
{
    __builtin_trap();
}

// The module never ends: what is to be done then is never done.
extern "C" int __cxa_atexit(void (*)(void *), void *, void *)
{
    return 0;
}
