/** Durations of metrics for a person. */
import { formatDuration } from '../../../ui/text/format.ts';

/** A duration: "840 ms", "9.8 s", "1 min 3 s". */
export const formatTime = (ms: number): string => (ms < 999.5 ? `${Math.round(ms)} ms` : formatDuration(ms));
