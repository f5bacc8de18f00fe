/** Names of images as Docker understands them. */

/** The name with its tag: without one, a pull would bring every tag there is. */
export function tagged(imageName: string): string {
  const last = imageName.slice(imageName.lastIndexOf('/') + 1);
  return /[:@]/.test(last) ? imageName : `${imageName}:latest`;
}

/** The registry that an image comes from, as credentials name it. */
export function registryOf(imageName: string): string {
  const [first = '', ...rest] = imageName.split('/');
  const named = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return named ? first : 'https://index.docker.io/v1/';
}
