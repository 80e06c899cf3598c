"""A PostgreSQL server of one's own, in a temporary folder, for tests.

It listens on a socket in that folder and nowhere else, and never runs as root: started by root, it runs as
"nobody". Skipped where Debian's server is not installed.
"""

import glob
import os
import shutil
import subprocess
import tempfile


def programs():
    """The folder of the server's programs, None if there is none."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    return os.path.dirname(found[-1]) if found else None


class Server:
    def __init__(self):
        self.bin = programs()
        if not self.bin:
            raise FileNotFoundError("no PostgreSQL server is installed")
        self.folder = tempfile.mkdtemp(prefix="winnow-pg-")
        self.as_user = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.as_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        self.data = os.path.join(self.folder, "data")
        try:
            self.run("initdb", "-D", self.data, "-A", "trust", "-U", "winnow", "-E", "UTF8",
                     "--locale=C.UTF-8", "--no-sync")
            self.start()
        except subprocess.CalledProcessError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise OSError(error.output.decode("utf-8", "replace")) from error

    def run(self, program, *args):
        return subprocess.run([*self.as_user, os.path.join(self.bin, program), *args], check=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=self.folder, timeout=300).stdout.decode()

    def start(self):
        options = f"-c listen_addresses= -c fsync=off -k {self.folder}"
        subprocess.run([*self.as_user, os.path.join(self.bin, "pg_ctl"), "-D", self.data, "-o", options,
                        "-l", os.path.join(self.folder, "log"), "-w", "-t", "240", "start"], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       cwd=self.folder, timeout=300)

    def stop(self):
        try:
            self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, statement, database="postgres"):
        return self.run("psql", "-X", "-h", self.folder, "-U", "winnow", "-d", database, "-At", "-c", statement)

    def new_database(self, name):
        """An empty database; returns the address of the store."""
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://winnow@/{name}?host={self.folder}"
