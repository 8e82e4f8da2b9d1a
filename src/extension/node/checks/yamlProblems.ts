import { parseAllDocuments } from 'yaml';
import type { Diagnostic } from '../../platform/diagnostics.ts';

/** A separate file, loaded on first use, for the reason given in `parseYaml.ts`. */
export function findYamlProblems(text: string): readonly Diagnostic[] {
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  // For a stream without documents, the library returns an empty list with errors of its own.
  const errors = [...documents].flatMap(document => document.errors);
  return errors.map(({ message, linePos }) => ({
    severity: 'error',
    line: linePos?.[0].line,
    message: message.replace(/ at line \d+, column \d+:[\s\S]*$/, ''),
  }));
}
