/* A disk whose syncs take MICROS microseconds, for a program that is started with this library in LD_PRELOAD. */
#include <time.h>

static int wait_for_disk(void) {
  struct timespec delay = {MICROS / 1000000, MICROS % 1000000 * 1000};
  return nanosleep(&delay, 0);
}

int fsync(int file) { return (void)file, wait_for_disk(); }
int fdatasync(int file) { return (void)file, wait_for_disk(); }
