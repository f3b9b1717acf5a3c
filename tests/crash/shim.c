/* A disk that fails on command: stands between a program and the C library (LD_PRELOAD).
 *
 * SHIM_NAME  only files whose path contains this are on that disk
 * SHIM_CALL  "write" (write, pwrite) or "sync" (fsync, fdatasync): which calls are counted
 * SHIM_FROM  the number of the first call that fails; 0 fails none
 * SHIM_TO    the number of the last call that fails
 * SHIM_ERRNO what it fails with
 * SHIM_TORN  when set, a write that fails has written the first half of what it was given
 * SHIM_KEPT  a file that holds what the disk surely holds of the log: copied after each good sync of it
 * SHIM_LOG   a file that gets a line of every write, cut, sync and removal on that disk, and of every
 *            write to standard output, in the order they came to pass
 * SHIM_REPORT  a file that gets a line of each failure and, at the end, how many calls were counted
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long counted;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* Written past the C library's own write, which is the one below. */
static void tell(const char *form, ...) {
    const char *path = getenv("SHIM_REPORT");
    if (!path) return;
    char text[8192];
    va_list values;
    va_start(values, form);
    int length = vsnprintf(text, sizeof text, form, values);
    va_end(values);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) abort();
    if (syscall(SYS_write, fd, text, (size_t)length) != length) abort();
    close(fd);
}

#define LONGEST 4096

/* The path of an open file, if it is on that disk. */
static int on_that_disk(int fd, char path[LONGEST]) {
    const char *name = getenv("SHIM_NAME");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = name ? readlink(link, path, LONGEST - 1) : -1;
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, name) != NULL;
}

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

/* Whether what comes to pass is written down; if so, nothing else comes to pass meanwhile. */
static int writing_down(int fd, char path[LONGEST]) {
    if (!getenv("SHIM_LOG")) return 0;
    path[0] = 0;
    if (fd != STDOUT_FILENO && !on_that_disk(fd, path)) return 0;
    pthread_mutex_lock(&order);
    return 1;
}

/* One line and then the bytes: what, where, how many bytes follow, the file. */
static void write_down(char what, const char *path, long long place, const void *bytes, size_t length) {
    static int log = -1;
    if (log < 0) log = open(getenv("SHIM_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char line[LONGEST + 64];
    int head = snprintf(line, sizeof line, "%c %lld %zu %s\n", what, place, length, path);
    if (log < 0 || syscall(SYS_write, log, line, (size_t)head) != head) abort();
    if (length && syscall(SYS_write, log, bytes, length) != (ssize_t)length) abort();
}

static void written_down(void) { pthread_mutex_unlock(&order); }

/* Whether this call on this file is to fail. */
static int fails(int fd, const char *call) {
    const char *which = getenv("SHIM_CALL");
    char path[LONGEST];
    if (!which || strcmp(which, call) || !on_that_disk(fd, path)) return 0;
    long here = atomic_fetch_add(&counted, 1) + 1, from = number("SHIM_FROM");
    if (from == 0 || here < from || here > number("SHIM_TO")) return 0;
    tell("failed %ld %s %s\n", here, call, path);
    return 1;
}

__attribute__((destructor)) static void last(void) {
    if (getenv("SHIM_NAME")) tell("counted %ld\n", atomic_load(&counted));
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);
typedef int (*sync_call)(int);
typedef int (*cut_call)(int, off_t);
typedef int (*unlink_call)(const char *);

ssize_t write(int fd, const void *bytes, size_t length) {
    write_call real = REAL("write", write_call);
    char path[LONGEST];
    if (writing_down(fd, path)) {
        off_t place = fd == STDOUT_FILENO ? 0 : lseek(fd, 0, SEEK_CUR);
        ssize_t done = real(fd, bytes, length);
        if (done > 0) write_down(fd == STDOUT_FILENO ? 'A' : 'W', path, place, bytes, (size_t)done);
        written_down();
        return done;
    }
    if (!fails(fd, "write")) return real(fd, bytes, length);
    if (getenv("SHIM_TORN")) real(fd, bytes, length / 2);
    errno = (int)number("SHIM_ERRNO");
    return -1;
}

static ssize_t pwrite_at(const char *name, int fd, const void *bytes, size_t length, off_t place) {
    pwrite_call real = REAL(name, pwrite_call);
    char path[LONGEST];
    if (writing_down(fd, path)) {
        ssize_t done = real(fd, bytes, length, place);
        if (done > 0) write_down('W', path, place, bytes, (size_t)done);
        written_down();
        return done;
    }
    if (!fails(fd, "write")) return real(fd, bytes, length, place);
    if (getenv("SHIM_TORN")) real(fd, bytes, length / 2, place);
    errno = (int)number("SHIM_ERRNO");
    return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t place) {
    return pwrite_at("pwrite", fd, bytes, length, place);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t place) {
    return pwrite_at("pwrite64", fd, bytes, length, place);
}

/* After a good sync of the log: what it holds is what the disk holds. */
static void keep(int fd) {
    const char *kept = getenv("SHIM_KEPT");
    char path[LONGEST], bytes[65536];
    if (!kept || !on_that_disk(fd, path) || !strstr(path, "-wal")) return;
    int copy = open(kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (copy < 0) abort();
    ssize_t length;
    for (off_t place = 0; (length = pread(fd, bytes, sizeof bytes, place)) > 0; place += length) {
        if (syscall(SYS_write, copy, bytes, (size_t)length) != length) abort();
    }
    close(copy);
}

static int sync_by(const char *name, int fd) {
    char path[LONGEST];
    if (writing_down(fd, path)) {
        int done = REAL(name, sync_call)(fd);
        if (done == 0) write_down('S', path, 0, NULL, 0);
        written_down();
        return done;
    }
    if (fails(fd, "sync")) {
        errno = (int)number("SHIM_ERRNO");
        return -1;
    }
    int done = REAL(name, sync_call)(fd);
    if (done == 0) keep(fd);
    return done;
}

int fsync(int fd) { return sync_by("fsync", fd); }

int fdatasync(int fd) { return sync_by("fdatasync", fd); }

static int cut_by(const char *name, int fd, off_t length) {
    cut_call real = REAL(name, cut_call);
    char path[LONGEST];
    if (!writing_down(fd, path)) return real(fd, length);
    int done = real(fd, length);
    if (done == 0) write_down('T', path, length, NULL, 0);
    written_down();
    return done;
}

int ftruncate(int fd, off_t length) { return cut_by("ftruncate", fd, length); }

int ftruncate64(int fd, off_t length) { return cut_by("ftruncate64", fd, length); }

int unlink(const char *path) {
    unlink_call real = REAL("unlink", unlink_call);
    const char *name = getenv("SHIM_NAME");
    if (!getenv("SHIM_LOG") || !name || !strstr(path, name)) return real(path);
    pthread_mutex_lock(&order);
    int done = real(path);
    if (done == 0) write_down('U', path, 0, NULL, 0);
    written_down();
    return done;
}
