/** Inputs that a person saved under a name, for each endpoint. They are kept in this browser. */
import * as z from 'zod';
import { asJson, personalSettings } from '../../../state/personalSetting.ts';

const savedInputSchema = z.object({ name: z.string(), body: z.string() });

/** By draft key, sorted by name. */
export const savedInputs = personalSettings('saved-inputs', asJson(z.array(savedInputSchema)), []);

export const NAME_CHARS = 60;

/** Saves the body under the name, in place of another one of that name. False: it lasts only until the page closes. */
export function saveInput(draftKey: string, name: string, body: string): boolean {
  const others = savedInputs.get(draftKey).filter((saved) => saved.name !== name);
  return savedInputs.set(
    draftKey,
    [...others, { name, body }].toSorted((one, other) => one.name.localeCompare(other.name)),
  );
}

export function forgetInput(draftKey: string, name: string): void {
  savedInputs.set(
    draftKey,
    savedInputs.get(draftKey).filter((saved) => saved.name !== name),
  );
}
