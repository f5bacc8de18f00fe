/** How the process of an engine is started. */

/**
 * Node flags for the process of an engine. By default the young generation grows to 128 MB under load and stays that
 * large; a fourth of it costs no measurable time.
 */
export const engineNodeFlags: readonly string[] = ['--max-semi-space-size=16'];
