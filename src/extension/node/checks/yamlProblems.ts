import { parseAllDocuments } from 'yaml';
import type { Diagnostic } from '../../platform/diagnostics.ts';

/** A file of its own, loaded when it is first needed, for the reason that `parseYaml.ts` gives. */
export function findYamlProblems(text: string): readonly Diagnostic[] {
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  // A stream without any document is an empty list that has errors of its own.
  const errors = [...documents].flatMap(document => document.errors);
  return errors.map(({ message, linePos }) => ({
    severity: 'error',
    line: linePos?.[0].line,
    message: message.replace(/ at line \d+, column \d+:[\s\S]*$/, ''),
  }));
}
