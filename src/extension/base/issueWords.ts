import { formatList, t } from '../../protocol/language.ts';

/** The schema library describes a value that does not fit by these. */
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
 * The end of a sentence about a value of a file that a user wrote, in place of the library's own English. Given to
 * each check of such a file: a model reads the library's words about the arguments of its calls.
 */
export function sayIssue(issue: Issue): string {
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
