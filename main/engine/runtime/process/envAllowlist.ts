/** The variables that a worker inherits from the engine: those that programs need on this machine, and no secrets. */

const NAMES = new Set(
  [
    // User and locale.
    'PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TZ TERM TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY HOSTNAME',
    // Windows.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA',
    'LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMPUTERNAME PUBLIC',
    'NUMBER_OF_PROCESSORS ALLUSERSPROFILE PSMODULEPATH',
    // The search paths of programs and libraries.
    'LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH LIBRARY_PATH MANPATH',
    'VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONUSERBASE NODE_PATH NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR',
    'REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
    // Network access.
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY',
    // Folders of models, and selection of devices.
    'HF_HOME HF_HUB_CACHE HF_HUB_OFFLINE TRANSFORMERS_CACHE TORCH_HOME',
    '__CF_USER_TEXT_ENCODING',
  ].flatMap((names) => names.split(' ')),
);

const PREFIXES = [
  'LC_',
  'XDG_',
  'PROCESSOR_',
  'CONDA_',
  'PYENV_',
  'CUDA_',
  'NVIDIA_',
  'NCCL_',
  'ROCM_',
  'HIP_',
  'OMP_',
  'MKL_',
];

/** The allowed variables: secrets in the environment of the engine do not reach workers. */
export function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // Windows ignores letter case, and proxy variables also exist in lower case.
    const upper = name.toUpperCase();
    if (value === undefined || !(NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))) continue;
    allowed[name] = value;
  }
  return allowed;
}
