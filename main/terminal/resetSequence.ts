/** Takes a screen out of whatever a program has left it in, and leaves what is to be seen on it. */

/**
 * No sequence open, no mouse, no other screen, no colour; the cursor shown. Who leaves the other screen puts the cursor where it
 * was saved, also where there was none to leave: so it is saved before.
 */
export const PLAIN_AGAIN = '\x18\x1b7\x1b[?1049l\x1b[?1000;1002;1003;1006;2004;1l\x1b[?25h\x1b[0m';
