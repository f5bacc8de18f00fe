/** The packages of modules that have another name than their package. */
const otherNames: Readonly<Record<string, string>> = {
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python-headless',
  dotenv: 'python-dotenv',
  fitz: 'PyMuPDF',
  jwt: 'PyJWT',
  OpenSSL: 'pyOpenSSL',
  PIL: 'Pillow',
  serial: 'pyserial',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  yaml: 'PyYAML',
};

/** The name of the package to install for a module; that of the module itself where no other one is known. */
export const packageOf = (module: string): string => otherNames[module] ?? module;
