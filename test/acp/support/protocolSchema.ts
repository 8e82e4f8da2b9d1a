/* Validates messages by the protocol's published schema. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

interface Definition {
  readonly 'x-side'?: string;
  readonly 'x-method'?: string;
}

const path = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
// Number formats that JSON Schema lacks would cause warnings.
const schema: { readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(
  readFileSync(path, 'utf8'),
  (key, value) => (key === 'format' && /^u?int\d+$/.test(value) ? undefined : value),
);

const validator = new AjvJsonSchemaValidator();
const checks = new Map<string, (value: unknown) => string | undefined>();

type Kind = 'Request' | 'Response' | 'Notification';

/** Returns the fault of the parameters or result of a method; `undefined` if valid. */
export function faultOf(method: string, kind: Kind, value: unknown): string | undefined {
  const name = Object.keys(schema.$defs).find(
    each => schema.$defs[each]?.['x-method'] === method && each.endsWith(kind),
  );
  if (name === undefined) return `The protocol knows no ${kind.toLowerCase()} ${method}.`;
  let check = checks.get(name);
  if (!check) {
    const isValid = validator.getValidator({ ...schema, anyOf: undefined, $ref: `#/$defs/${name}` } as never);
    check = given => {
      const checked = isValid(given);
      return checked.valid ? undefined : `${name}: ${checked.errorMessage}`;
    };
    checks.set(name, check);
  }
  return check(value);
}
