/**
 * Who builds a package, for its fields about maintainer and homepage: the repository of the workflow, if there is one.
 */

/**
 * @typedef {object} Origin
 * @property {string | null} homepage Null for a build of one's own, which has none.
 * @property {{ name: string, email: string }} maintainer
 * @property {{ owner: string, repo: string } | null} repository
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Origin}
 */
export function originOf(env) {
  const name = 'Hangar contributors';
  const [owner, repo] = (env['GITHUB_REPOSITORY'] ?? '').split('/');
  if (!owner || !repo) return { homepage: null, maintainer: { name, email: 'hangar@localhost' }, repository: null };
  const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com';
  return {
    homepage: `${server}/${owner}/${repo}`,
    // GitHub's address that takes no mail.
    maintainer: { name, email: `${owner}@users.noreply.github.com` },
    repository: { owner, repo },
  };
}
