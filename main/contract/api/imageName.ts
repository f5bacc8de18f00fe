/** Names of container images, as container engines accept them. */

const HOST = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?`;
const PART = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const TAG = String.raw`\w[\w.-]{0,127}`;
const DIGEST = String.raw`[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}`;
const NAME = new RegExp(`^((?:${HOST}/)?${PART}(?:/${PART})*)(?::${TAG})?(?:@${DIGEST})?$`);

/** Longest name without tag and digest. */
const MOST_CHARACTERS = 255;
/** Container engines treat such a text as the id of an image, not as a name. */
const ID = /^[a-f0-9]{64}$/;

/** Whether the text can be the name of an image. Only the registry knows whether the image exists. */
export function isImageName(text: string): boolean {
  const name = NAME.exec(text)?.[1];
  return name !== undefined && name.length <= MOST_CHARACTERS && !ID.test(text);
}
