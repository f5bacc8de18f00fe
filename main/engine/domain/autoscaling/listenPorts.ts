/** The ports of a load-balancing worker, for requests and for health checks, from the variables of its template. */
import { limits } from '#contract/core/limits.ts';

export interface BalancedPorts {
  /** The port of its HTTP server. */
  port: number;
  /** The port of its health check; mostly the same. */
  healthPort: number;
  healthPath: string;
}

/** The ports and the path, or a sentence that names the wrong variable. */
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

/**
 * The ports that a driver must make reachable: first the port of the server, then that of the health check where it
 * differs.
 */
export const portsOf = ({ port, healthPort }: BalancedPorts): number[] =>
  port === healthPort ? [port] : [port, healthPort];

/** The variables for the worker. A driver that maps the ports to other numbers changes the values. */
export const balancedEnv = ({ port, healthPort, healthPath }: BalancedPorts): Record<string, string> => ({
  PORT: String(port),
  PORT_HEALTH: String(healthPort),
  HEALTH_CHECK_PATH: healthPath,
});
