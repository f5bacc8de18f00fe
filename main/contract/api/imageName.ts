/** Names of container images, as container engines accept them. */

const HOST = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?`;
const PART = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const TAG = String.raw`\w[\w.-]{0,127}`;
const DIGEST = String.raw`[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}`;
const NAME = new RegExp(`^((?:${HOST}/)?${PART}(?:/${PART})*)(?::${TAG})?(?:@${DIGEST})?$`);

/** Of the name without tag and digest. */
const MOST_CHARACTERS = 255;
/** Engines take it for the id of an image, and do not look for a name. */
const ID = /^[a-f0-9]{64}$/;

/** Whether it can be the name of an image. Whether there is one, the registry knows. */
export function isImageName(text: string): boolean {
  const name = NAME.exec(text)?.[1];
  return name !== undefined && name.length <= MOST_CHARACTERS && !ID.test(text);
}
