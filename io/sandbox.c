#define _GNU_SOURCE /* O_PATH, CLONE_THREAD */
#include "io/sandbox.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"

/* ---- Landlock ---------------------------------------------------------------------------- */

/*
 * The interface of the kernel, here because the headers of older systems know only part of it:
 * https://docs.kernel.org/userspace-api/landlock.html
 */
enum {
    CREATE_RULESET = 444,
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    ASK_VERSION = 1,
    PATH_BENEATH = 1,
};

typedef struct ruleset {
    uint64_t files, network, scoped;
} ruleset;

typedef struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_rule;

#define EXECUTE (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_FOLDER (UINT64_C(1) << 3)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_FILE (UINT64_C(1) << 8)
#define TRUNCATE (UINT64_C(1) << 14)
#define BIND_TCP (UINT64_C(1) << 0)
#define CONNECT_TCP (UINT64_C(1) << 1)
#define SCOPE_ALL UINT64_C(3) /* abstract sockets and signals of others */

/* The rights that each version of Landlock knows, as the number of their bits. */
static uint64_t rights_of(long version)
{
    static const unsigned bits[] = {0, 13, 14, 15, 15, 16};
    enum { LAST = sizeof bits / sizeof *bits - 1 };
    return (UINT64_C(1) << bits[version < LAST ? version : LAST]) - 1;
}

/* Allows these rights below a name, as far as they make sense there. */
static void allow(int rules, const char *name, uint64_t rights)
{
    struct stat status;
    int fd = open(name, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode))
        rights &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
    path_rule rule = {rights, fd};
    syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
    close(fd);
}

static void allow_all(int rules, const char *const *names, uint64_t rights)
{
    for (; names && *names; names++)
        allow(rules, *names, rights);
}

/* What libraries open when they are first used. */
static const char *const system_files[] = {
    "/usr/share",
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/usr/local",
    "/etc/fonts",
    "/var/cache/fontconfig",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu",
    "/proc/self/maps",
    "/proc/self/statm",
    "/proc/cpuinfo",
    "/proc/stat",
    NULL,
};
/* Below the user's home. */
static const char *const font_folders[] = {
    "/.fonts", "/.local/share/fonts", "/.config/fontconfig", "/.cache/fontconfig", NULL,
};
static const char *const network_files[] = {
    "/etc/resolv.conf",     "/etc/hosts",    "/etc/host.conf",       "/etc/nsswitch.conf",
    "/etc/gai.conf",        "/etc/ssl",      "/etc/ca-certificates", "/etc/pki",
    "/etc/crypto-policies", "/etc/services", "/run/systemd/resolve", NULL,
};

static void allow_own_fonts(int rules, uint64_t rights)
{
    const char *home = getenv("HOME");
    for (const char *const *folder = font_folders; home && *folder; folder++) {
        wn_buf path = {0};
        wn_buf_add_format(&path, "%s%s", home, *folder);
        allow(rules, wn_buf_c_string(&path), rights);
        wn_buf_free(&path);
    }
}

static bool restrict_files(const wn_io_sandbox *sandbox)
{
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);
    if (version < 1)
        return false;
    uint64_t rights = rights_of(version);
    ruleset wanted = {
        .files = rights,
        .network = version < 4         ? 0
                   : sandbox->connects ? BIND_TCP
                                       : BIND_TCP | CONNECT_TCP,
        .scoped = version >= 6 ? SCOPE_ALL : 0,
    };
    /* Older kernels know a shorter struct. */
    size_t size = version >= 6   ? sizeof wanted
                  : version >= 4 ? offsetof(ruleset, scoped)
                                 : offsetof(ruleset, network);
    int rules = (int)syscall(CREATE_RULESET, &wanted, size, 0);
    if (rules < 0)
        return false;
    uint64_t reading = READ_FILE | READ_FOLDER;
    uint64_t writing = reading | WRITE_FILE | REMOVE_FILE | MAKE_FILE | TRUNCATE;
    allow_all(rules, system_files, reading);
    allow_own_fonts(rules, reading);
    if (sandbox->connects)
        allow_all(rules, network_files, reading);
    allow_all(rules, sandbox->readable, reading);
    allow_all(rules, sandbox->writable, writing & rights);
    allow_all(rules, sandbox->logged, WRITE_FILE | MAKE_FILE);
    allow(rules, "/dev/null", reading | WRITE_FILE);
    bool done = syscall(RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return done;
}

/* ---- seccomp ----------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define THIS_MACHINE AUDIT_ARCH_RISCV64
#endif

#ifdef THIS_MACHINE

/* Programs, other processes, the system, and ways around this filter. */
static const int always_refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_open_by_handle_at,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_personality,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_capset,
    SYS_mknodat,
    SYS_listen, /* sockets that are served listen before */
#ifdef SYS_mknod
    SYS_mknod,
#endif
#ifdef SYS_fork
    SYS_fork,
#endif
#ifdef SYS_vfork
    SYS_vfork,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

static const int connecting[] = {SYS_socket, SYS_connect, SYS_bind, SYS_socketpair};
static const int accepting[] = {SYS_accept, SYS_accept4};

enum {
    MOST_STEPS = 256,
    X32_CALLS = 0x40000000, /* the second table of calls of x86-64 */
    REFUSE = SECCOMP_RET_ERRNO | EPERM,
    NO_SUCH_CALL = SECCOMP_RET_ERRNO | ENOSYS,
};

typedef struct filter {
    struct sock_filter steps[MOST_STEPS];
    unsigned short count;
} filter;

static void add_step(filter *f, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    if (f->count < MOST_STEPS)
        f->steps[f->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(filter *f, size_t offset)
{
    add_step(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end_with(filter *f, uint32_t answer)
{
    add_step(f, BPF_RET | BPF_K, answer, 0, 0);
}

/* The number of the call is loaded. */
static void answer_call(filter *f, int call, uint32_t answer)
{
    add_step(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    end_with(f, answer);
}

static void refuse(filter *f, const int *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        answer_call(f, calls[i], REFUSE);
}

/* The lower half of an argument; the upper one says nothing for these calls. */
static size_t argument(unsigned index)
{
    return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t) +
           (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint32_t) : 0);
}

/* Threads may be started, processes not; typing into the terminal is refused. */
static void check_arguments(filter *f)
{
    add_step(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
    load(f, argument(0));
    add_step(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    end_with(f, REFUSE);
    end_with(f, SECCOMP_RET_ALLOW);
    add_step(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4);
    load(f, argument(1));
    add_step(f, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 0, 1);
    end_with(f, REFUSE);
    end_with(f, SECCOMP_RET_ALLOW);
}

static bool restrict_calls(const wn_io_sandbox *sandbox)
{
    filter f = {.count = 0};
    load(&f, offsetof(struct seccomp_data, arch));
    add_step(&f, BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 1, 0);
    end_with(&f, REFUSE);
    load(&f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    add_step(&f, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    end_with(&f, REFUSE);
#endif
#ifdef SYS_clone3
    /* Its flags are out of reach; the C library then takes clone(). */
    answer_call(&f, SYS_clone3, NO_SUCH_CALL);
#endif
    refuse(&f, always_refused, sizeof always_refused / sizeof *always_refused);
    if (!sandbox->connects)
        refuse(&f, connecting, sizeof connecting / sizeof *connecting);
    if (!sandbox->accepts)
        refuse(&f, accepting, sizeof accepting / sizeof *accepting);
    check_arguments(&f);
    end_with(&f, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {f.count, f.steps};
    return f.count < MOST_STEPS && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool restrict_calls(const wn_io_sandbox *sandbox)
{
    (void)sandbox;
    return false;
}

#endif

/* ---- Both -------------------------------------------------------------------------------- */

unsigned wn_io_sandbox_enter(const wn_io_sandbox *sandbox)
{
    unsigned holds = 0;
    /* Needed by both; it also keeps programs with the set-user-ID bit from gaining anything. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 0;
    if (restrict_files(sandbox))
        holds |= WN_IO_SANDBOX_FILES;
    if (restrict_calls(sandbox))
        holds |= WN_IO_SANDBOX_CALLS;
    return holds;
}

#else

unsigned wn_io_sandbox_enter(const wn_io_sandbox *sandbox)
{
    (void)sandbox;
    return 0;
}

#endif

const char *wn_io_sandbox_missing(unsigned holds)
{
    static const char *const missing[] = {"Landlock and no seccomp", "seccomp", "Landlock", NULL};
    return missing[holds & WN_IO_SANDBOX_ALL];
}
