/* Fails, shortens and tears what a program writes below a folder.
 *
 * It is loaded before libc (LD_PRELOAD). WRITES_UNDER names the folder, WRITES_MODE a file whose first
 * letter is read before each call: `w` fails writes, `s` fails syncs, `h` writes half of each and says
 * so, `t` writes half of one and kills the process, and anything else leaves calls alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char mode(int file)
{
    const char *under = getenv("WRITES_UNDER"), *said = getenv("WRITES_MODE");
    char link[64], path[4096], letter = 0;
    if (!under || !said)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || strncmp(path, under, strlen(under)) != 0)
        return 0;
    int kept = errno, source = open(said, O_RDONLY | O_CLOEXEC);
    if (source >= 0) {
        if (read(source, &letter, 1) != 1)
            letter = 0;
        close(source);
    }
    errno = kept;
    return letter;
}

static ssize_t put(int file, const void *bytes, size_t count, off64_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real)
        real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    char now = mode(file);
    if (now == 'w') {
        errno = EIO;
        return -1;
    }
    if ((now == 'h' || now == 't') && count > 1)
        count /= 2;
    ssize_t wrote = real(file, bytes, count, at);
    if (now == 't')
        kill(getpid(), SIGKILL);
    return wrote;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    return put(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    return put(file, bytes, count, at);
}

static int flush(const char *name, int file)
{
    if (mode(file) == 's') {
        errno = EIO;
        return -1;
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file)
{
    return flush("fsync", file);
}

int fdatasync(int file)
{
    return flush("fdatasync", file);
}
