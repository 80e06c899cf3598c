"""An attacker whose code runs in the program: a library that is loaded with it and waits for its moment.

Before the program writes bytes that have the word in the variable ATTACK_AT, the library tries what a sandbox
should keep from it, and says on standard error what of it worked: 1, or 0.
"""

import os
import shutil
import subprocess
import unittest

TRIED = ("socket", "bind", "file", "made", "process")

SOURCE = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int binds(int fd)
{
    struct sockaddr_in any = {.sin_family = AF_INET};
    return fd >= 0 && bind(fd, (struct sockaddr *)&any, sizeof any) == 0 && listen(fd, 1) == 0;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static int tried;
    const char *at = getenv("ATTACK_AT");
    ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (memmem(bytes, size, at, strlen(at)) && !tried++) {
        char said[100];
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        int tcp = socket(AF_INET, SOCK_STREAM, 0);
        int length = snprintf(said, sizeof said, "socket %d, bind %d, file %d, made %d, process %d\n", tcp >= 0, binds(tcp),
                              open(getenv("ATTACK_FILE"), O_RDONLY) >= 0,
                              open(getenv("ATTACK_MAKE"), O_WRONLY | O_CREAT, 0600) >= 0, child > 0);
        real(2, said, (size_t)length);
    }
    return real(fd, bytes, size);
}
"""


class Attacker:
    """Lives in a folder, in which it tries to make the file `made`."""

    def __init__(self, folder, word, file="/etc/passwd"):
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            raise unittest.SkipTest("no C compiler")
        source, library = os.path.join(folder, "attacker.c"), os.path.join(folder, "attacker.so")
        with open(source, "w", encoding="utf-8") as out:
            out.write(SOURCE)
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.made = os.path.join(folder, "made-by-the-attacker")
        self.variables = {"LD_PRELOAD": library, "ATTACK_AT": word, "ATTACK_FILE": str(file), "ATTACK_MAKE": self.made}

    def has_made(self):
        """Whether it made its file; removes it."""
        made = os.path.exists(self.made)
        if made:
            os.remove(self.made)
        return made


def report(**worked):
    """The line that tells what worked; what is not named did not."""
    return ", ".join(f"{what} {int(worked.get(what, False))}" for what in TRIED)


ALL_WORKED = report(**dict.fromkeys(TRIED, True))
NOTHING_WORKED = report()
