import Fastify from 'fastify';

/** Checks values against schemas of an OpenAPI document, with the JSON Schema validator that Fastify carries. */
export interface SchemaCheck {
  /**
   * What the schema does not allow in the value, as JSON; null when it allows it. References of the schema are into the
   * document.
   */
  errorsOf(schema: unknown, value: unknown): string | null;
  stop(): Promise<void>;
}

export async function createSchemaCheck(document: object): Promise<SchemaCheck> {
  const customOptions = {
    strict: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    validateFormats: false,
  };
  const app = Fastify({ ajv: { customOptions: customOptions as object } });
  app.addSchema({ ...document, $id: 'document' });
  type Validate = ((value: unknown) => unknown) & { errors?: unknown };
  let compile: ((schema: object) => Validate) | null = null;
  // Fastify gives its validator to requests only.
  app.get('/', (request, reply) => {
    compile = (schema) => request.compileValidationSchema(schema) as Validate;
    return reply.send();
  });
  await app.inject('/');

  return {
    errorsOf(schema, value) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
      const validate = compile?.(absolute);
      return validate?.(value) === true ? null : JSON.stringify(validate?.errors);
    },
    stop: () => app.close(),
  };
}
