/** Where a load-balancing worker listens, and where it tells how it is: from the variables of its template. */
import { limits } from '#contract/core/limits.ts';

export interface BalancedPorts {
  /** Of its HTTP server. */
  port: number;
  /** Of its health check; most often the same. */
  healthPort: number;
  healthPath: string;
}

/** The ports and the path, or a sentence that says which variable is wrong. */
export function balancedPorts(env: Readonly<Record<string, string>>): BalancedPorts | string {
  const { defaultPort, defaultHealthPath } = limits.balancing;
  const portOf = (name: string, otherwise: number): number | string => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return otherwise;
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (port >= 1 && port <= 65_535) return port;
    return `${name} of the template's env must be a port, 1 to 65535; it is ${JSON.stringify(text)}.`;
  };
  const port = portOf('PORT', defaultPort);
  if (typeof port === 'string') return port;
  const healthPort = portOf('PORT_HEALTH', port);
  if (typeof healthPort === 'string') return healthPort;
  const path = env['HEALTH_CHECK_PATH']?.trim() ?? '';
  if (/[^\x21-\x7e]/.test(path)) {
    return `HEALTH_CHECK_PATH of the template's env must be a path; it is ${JSON.stringify(path)}.`;
  }
  const healthPath = path === '' ? defaultHealthPath : path.startsWith('/') ? path : `/${path}`;
  return { port, healthPort, healthPath };
}

/** Ports that a driver has to make reachable: that of the server first, that of the health check where it is another. */
export const portsOf = ({ port, healthPort }: BalancedPorts): number[] =>
  port === healthPort ? [port] : [port, healthPort];

/** What the worker is told of it. A driver that gives its workers other ports says so in the same variables. */
export const balancedEnv = ({ port, healthPort, healthPath }: BalancedPorts): Record<string, string> => ({
  PORT: String(port),
  PORT_HEALTH: String(healthPort),
  HEALTH_CHECK_PATH: healthPath,
});
