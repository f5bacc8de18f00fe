/** The API key of a request to an http port of a Pod: names of headers that the app and the engine share. */

/**
 * Has the API key. It is no `Authorization`, because that belongs to the program in the Pod. The engine passes this
 * header on to no program.
 */
export const POD_KEY_HEADER = 'x-hangar-key';

/**
 * In an answer of the engine that refuses the key, and in no answer of a program. It tells the engine's 401 and 403
 * from those of the program.
 */
export const POD_KEY_REFUSED_HEADER = 'x-hangar-key-refused';
