/** Holds the place of a part of which it is not known yet whether it is there. */

/** Shows nothing. It stands directly in an element of the class `inOrder`: what follows it there waits for it. */
export const Pending = () => <div hidden aria-busy="true" />;
