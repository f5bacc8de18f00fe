/** Fastify as the engine uses it: what routes are registered at. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, never, ZodTypeProvider>;
