import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

/** Throws for a schema that cannot be used; then a value that does not fit it is answered by a sentence. */
export function checkSchema(
  schema: Readonly<Record<string, unknown>>,
): (value: unknown) => string | undefined {
  const check = new AjvJsonSchemaValidator().getValidator(schema);
  return value => {
    const result = check(value);
    return result.valid ? undefined : result.errorMessage;
  };
}
