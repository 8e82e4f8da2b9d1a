import { formatList, t } from '../../protocol/language.ts';

/** Describes an invalid value, as zod reports it. */
interface Issue {
  readonly code: string;
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly minimum?: unknown;
  readonly inclusive?: boolean;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
}

/**
 * Describes an invalid value in a user's file, to end a sentence about it. Replaces zod's English, which models still
 * read about the arguments of their calls.
 */
export function describeIssue(issue: Issue): string {
  if (issue.input === undefined) return t('is missing');
  switch (issue.code) {
    case 'invalid_type':
      return sayType(issue.expected);
    case 'invalid_value':
      return t('must be one of {0}', formatList((issue.values ?? []).map(each => JSON.stringify(each))));
    case 'unrecognized_keys':
      return t('has unknown keys: {0}', (issue.keys ?? []).join(', '));
    case 'too_small':
      if (typeof issue.input !== 'number') return t('is too short');
      return issue.inclusive
        ? t('must be at least {0}', String(issue.minimum))
        : t('must be more than {0}', String(issue.minimum));
    default:
      return t('is not valid');
  }
}

function sayType(expected: unknown): string {
  switch (expected) {
    case 'string':
      return t('must be a string');
    case 'number':
      return t('must be a number');
    case 'int':
      return t('must be a whole number');
    case 'boolean':
      return t('must be true or false');
    case 'array':
      return t('must be a list');
    case 'object':
    case 'record':
      return t('must be an object');
    default:
      return t('is not valid');
  }
}
