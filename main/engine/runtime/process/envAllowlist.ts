/** What a worker inherits of the engine's own environment: what programs need to run here, and no secret of ours. */

const NAMES = new Set(
  [
    // Who and where.
    'PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TZ TERM TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY HOSTNAME',
    // Windows.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA',
    'LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMPUTERNAME PUBLIC',
    'NUMBER_OF_PROCESSORS ALLUSERSPROFILE PSMODULEPATH',
    // How programs and their libraries are found.
    'LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH LIBRARY_PATH MANPATH',
    'VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONUSERBASE NODE_PATH NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR',
    'REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
    // The way to the network.
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY',
    // Where models lie, and which devices are used.
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

/** An allowlist: secrets in the engine's environment do not reach workers. */
export function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // Windows spells names as it likes, and proxies are named in lower case too.
    const upper = name.toUpperCase();
    if (value === undefined || !(NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))) continue;
    allowed[name] = value;
  }
  return allowed;
}
