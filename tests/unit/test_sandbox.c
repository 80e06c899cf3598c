/*
 * The sandbox: what can still be opened, connected and started inside it. Each test enters it in
 * a process of its own, as there is no way back.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/sandbox.h"

static char folder[] = "/tmp/winnow-sandbox-XXXXXX";
static char inside[64], outside[64], made[64], inner[64];

/* The bits that the kernel of this machine enforces, found in a process of its own. */
static unsigned available(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit((int)wn_io_sandbox_enter(&(wn_io_sandbox){0}));
    int status = 0;
    waitpid(child, &status, 0);
    return (unsigned)WEXITSTATUS(status);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x", file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(inside, sizeof inside, "%s/inner/a", folder);
    snprintf(made, sizeof made, "%s/inner/b", folder);
    snprintf(outside, sizeof outside, "%s/c", folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    touch(inside);
    touch(outside);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(inside);
    unlink(made);
    unlink(outside);
    rmdir(inner);
    rmdir(folder);
    return 0;
}

/* Whether `try` says that all is as it should be inside the sandbox; its number is what is not. */
static void check_inside(const wn_io_sandbox *sandbox, int (*try)(void))
{
    if (available() != WN_IO_SANDBOX_ALL)
        skip(); /* a kernel without Landlock or seccomp */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(wn_io_sandbox_enter(sandbox) == WN_IO_SANDBOX_ALL ? try() : 99);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int try_nothing_allowed(void)
{
    if (opens(inside, O_RDONLY) || errno != EACCES)
        return 1;
    if (opens("/etc/passwd", O_RDONLY) || errno != EACCES)
        return 2;
    if (opens(made, O_WRONLY | O_CREAT) || errno != EACCES)
        return 3;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        return 4;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        return 5;
    if (fork() >= 0 || errno != EPERM)
        return 6;
    char *arguments[] = {(char *)"/bin/true", NULL};
    if (execv("/bin/true", arguments) == 0 || errno != EPERM)
        return 7;
    return unlink(inside) == 0 || errno != EACCES ? 8 : 0;
}

static void test_nothing_is_allowed_that_is_not_named(void **state)
{
    (void)state;
    check_inside(&(wn_io_sandbox){0}, try_nothing_allowed);
}

static int try_reading(void)
{
    if (!opens(inside, O_RDONLY))
        return 1;
    if (opens(inside, O_WRONLY) || opens(made, O_WRONLY | O_CREAT))
        return 2;
    return opens(outside, O_RDONLY) ? 3 : 0;
}

static void test_what_is_readable_is_not_writable(void **state)
{
    (void)state;
    const char *names[] = {inner, "/no/such/file", NULL};
    check_inside(&(wn_io_sandbox){.readable = names}, try_reading);
    const char *file[] = {inside, NULL};
    check_inside(&(wn_io_sandbox){.readable = file}, try_reading);
}

static int try_writing(void)
{
    char renamed[80];
    snprintf(renamed, sizeof renamed, "%s.part", made);
    if (!opens(renamed, O_WRONLY | O_CREAT) || rename(renamed, made) != 0)
        return 1;
    if (!opens(made, O_WRONLY | O_TRUNC) || unlink(made) != 0)
        return 2;
    return opens(outside, O_WRONLY) || unlink(outside) == 0 ? 3 : 0;
}

static void test_files_are_made_beside_the_output(void **state)
{
    (void)state;
    const char *names[] = {inner, NULL};
    check_inside(&(wn_io_sandbox){.writable = names}, try_writing);
}

static int try_network(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? 1 : opens(outside, O_RDONLY) ? 2 : 0;
}

static void test_who_connects_still_opens_no_files(void **state)
{
    (void)state;
    check_inside(&(wn_io_sandbox){.connects = true}, try_network);
}

static void *idle(void *data)
{
    return data;
}

static int try_threads(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, idle, NULL) != 0)
        return 1;
    return pthread_join(thread, NULL) != 0 ? 2 : opens(outside, O_RDONLY) ? 3 : 0;
}

static void test_threads_can_be_started(void **state)
{
    (void)state;
    check_inside(&(wn_io_sandbox){0}, try_threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_allowed_that_is_not_named),
        cmocka_unit_test(test_what_is_readable_is_not_writable),
        cmocka_unit_test(test_files_are_made_beside_the_output),
        cmocka_unit_test(test_who_connects_still_opens_no_files),
        cmocka_unit_test(test_threads_can_be_started),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
