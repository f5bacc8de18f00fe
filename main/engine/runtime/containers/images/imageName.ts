/** Image names in the format of Docker. */

/** The name with a tag: without one, a pull would load all tags. */
export function tagged(imageName: string): string {
  const last = imageName.slice(imageName.lastIndexOf('/') + 1);
  return /[:@]/.test(last) ? imageName : `${imageName}:latest`;
}

/** The registry of an image, as credentials name it. */
export function registryOf(imageName: string): string {
  const [first = '', ...rest] = imageName.split('/');
  const named = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return named ? first : 'https://index.docker.io/v1/';
}
