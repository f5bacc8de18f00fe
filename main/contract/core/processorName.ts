/**
 * The name of a processor as people write it. Systems report it with trademark signs, its clock rate and its number of
 * cores.
 */

/** In this order: later patterns match what earlier ones left. */
const LEFT_OUT = [
  /\((?:R|TM|C)\)/gi,
  /\s*@.*$/,
  /^\d+(?:st|nd|rd|th) Gen\s+/i,
  /\s+with Radeon.*$/i,
  // "QEMU Virtual CPU version 2.5+" is a name.
  /(?<!Virtual)\s+CPU\b/g,
  /\s+(?:\S+-Core\s+)?Processor\s*$/,
];

/**
 * "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz" becomes "Intel Xeon E5-2680 v4". A text of another form stays as it is.
 */
export function processorName(model: string): string {
  const name = LEFT_OUT.reduce((text, pattern) => text.replace(pattern, ''), model);
  return name.replace(/\s+/g, ' ').trim() || model.trim();
}
