/** Resets the modes of a terminal after a program has left them set. The text on the screen stays. */

/**
 * Ends an open sequence, switches mouse reports, the other screen and colours off, and shows the cursor. The command
 * that leaves the other screen moves the cursor to its saved place, even if that screen was not on. So the place is
 * saved first.
 */
export const PLAIN_AGAIN = '\x18\x1b7\x1b[?1049l\x1b[?1000;1002;1003;1006;2004;1l\x1b[?25h\x1b[0m';
