/** How the process of an engine is started. */

/**
 * Node flags for the process of an engine. By default the young generation grows to 128 MB under load and stays that
 * large; a fourth of it costs no measurable time. It begins with half of that: from the default of 1 MB on, a start
 * collects garbage a dozen times, which is a tenth of its processor time. An idle engine has 3 MB more.
 */
export const engineNodeFlags: readonly string[] = ['--min-semi-space-size=8', '--max-semi-space-size=16'];
