import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

/** Throws for an unusable schema. The returned function describes why a value is invalid. */
export function schemaChecker(
  schema: Readonly<Record<string, unknown>>,
): (value: unknown) => string | undefined {
  const check = new AjvJsonSchemaValidator().getValidator(schema);
  return value => {
    const result = check(value);
    return result.valid ? undefined : result.errorMessage;
  };
}
