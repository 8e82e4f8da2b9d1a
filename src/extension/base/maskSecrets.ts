/*
 * Masks secrets of known formats, and values assigned to names such as `password`, in text that leaves the machine or
 * is shown in full. Hashes, ids and ordinary code stay. Each pattern begins at a fixed word or a word boundary and
 * checks each character a bounded number of times, so the time is linear in the text.
 */

/**
 * Idempotent. Every event of a session passes through here and few hold a secret: searching for fixed words first costs
 * a tenth of trying every pattern.
 */
export function maskSecrets(text: string): string {
  const withoutKeys = text.includes('-----BEGIN ') ? text.replace(privateKey, maskPrivateKey) : text;
  const withoutFormats = wordOfFormat.test(withoutKeys)
    ? formats.reduce(maskFormat, withoutKeys)
    : withoutKeys;
  const withoutPasswords =
    withoutFormats.includes('://') && withoutFormats.includes('@')
      ? withoutFormats.replace(urlPassword, maskPassword)
      : withoutFormats;
  if (!partOfName.test(withoutPasswords)) return withoutPasswords;
  return maskNamed(maskHeaders(withoutPasswords));
}

/** Returns true if the text surely holds no secret; false if `maskSecrets` must check. */
export function isFreeOfSecrets(text: string): boolean {
  return !(
    text.includes('-----BEGIN ') ||
    (text.includes('://') && text.includes('@')) ||
    wordOfFormat.test(text) ||
    partOfName.test(text)
  );
}

function maskPassword(whole: string, before: string, password: string): string {
  return isLiteral(password) ? `${before}${maskPlaceholder}@` : whole;
}

function maskHeaders(text: string): string {
  return text
    .replace(authorization, (_whole, before) => `${before}${maskPlaceholder}`)
    .replace(bearer, (whole, before, token) => (/\d/.test(token) ? `${before}${maskPlaceholder}` : whole));
}

function maskNamed(text: string): string {
  // Matching names at every word takes ten times as long as this test.
  return assignedSecret.test(text) ? text.replace(assignment, maskAssignment) : text;
}

/** Returns whether a value under this name is secret, as with `DB_PASSWORD` or `apiKey`. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

export const maskPlaceholder = '[masked]';

interface Format {
  /** Every match contains one of these. */
  readonly words: readonly string[];
  /** Its first group stays readable. */
  readonly pattern: RegExp;
  readonly test?: (secret: string) => boolean;
}

/** Not in the middle of a word or of base64. An escaped line break before the match is allowed. */
const start = String.raw`(?:(?<![\w/+-])|(?<=\\[nrt]))`;
const format = (words: string, source: string, test?: Format['test']): Format => ({
  words: words.split(' '),
  pattern: new RegExp(start + source, 'g'),
  test,
});

const formats: readonly Format[] = [
  // Google: API keys, OAuth tokens, OAuth client secrets.
  format('AIza', String.raw`(AIza)[\w-]{30,}`),
  format('AQ.', String.raw`(AQ\.)[\w-]{30,}`, isMixed),
  format('ya29.', String.raw`(ya29\.)[\w-]{20,}`),
  format('GOCSPX-', String.raw`(GOCSPX-)[\w-]{20,}`),
  // OpenAI, Anthropic and providers that use the same prefix.
  format('sk-', String.raw`(sk-(?:ant-|proj-|or-|svcacct-|admin-)?)[\w-]{20,}`, isMixed),
  // GitHub, GitLab.
  format('gho_ ghp_ ghs_ ghr_ ghu_', '(gh[opsru]_)[A-Za-z0-9]{30,}'),
  format('github_pat_', String.raw`(github_pat_)\w{22,}`),
  format('glpat-', String.raw`(glpat-)[\w-]{20,}`),
  // AWS key ids. A secret access key is recognised only by its name.
  format('AKIA ASIA', String.raw`(A[KS]IA)[0-9A-Z]{16}(?![\w/+=-])`),
  format('xox xapp-', String.raw`(xox[abeoprs]-|xapp-)[\w-]{10,}`),
  format('npm_', '(npm_)[A-Za-z0-9]{36,}', isMixed),
  format('pypi-', String.raw`(pypi-)[\w-]{50,}`, isMixed),
  format('k_live_', '([rs]k_live_)[A-Za-z0-9]{16,}'),
  format('hf_', '(hf_)[A-Za-z0-9]{30,}'),
  // JSON Web Tokens.
  format('eyJ', String.raw`(eyJ)[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`),
];

/** One expression over all words is ten times as fast as a search for each. */
const wordOfFormat = new RegExp(
  formats.flatMap(({ words }) => words.map(word => word.replace('.', String.raw`\.`))).join('|'),
);

function maskFormat(text: string, { words, pattern, test }: Format): string {
  if (!words.some(word => text.includes(word))) return text;
  return text.replace(pattern, (whole: string, kept: string) =>
    test && !test(whole.slice(kept.length)) ? whole : `${kept}…${maskPlaceholder}`,
  );
}

/** Matches random letters, but not hyphenated words such as `sk-learn-contrib-documentation`. */
function isMixed(secret: string): boolean {
  return /\d/.test(secret) && ((/[a-z]/.test(secret) && /[A-Z]/.test(secret)) || /[0-9a-z]{32}/.test(secret));
}

/** Matches base64 and headers, also with line numbers, in a diff or in a string literal. */
const privateKey =
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)((?:[\w+/=\s\\:,."'|]|-(?!----)){40,20000})(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g;

function maskPrivateKey(whole: string, first: string, body: string): string {
  return /[A-Za-z0-9+/]{20}/.test(body) ? `${first}…${maskPlaceholder}` : whole;
}

const urlPassword = /(:\/\/[^\s/:@"'`<>[\]]{0,100}:)([^\s/@"'`<>[\]]{1,200})@/g;

const authorization =
  /(?<![\w-])((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["'`]?(?:bearer|basic|token)\s{1,4})[\w.~+/=-]{8,}/gi;
const bearer = /(?<![\w-])(bearer\s{1,4})([\w.~+/=-]{16,})/gi;

const secretWords =
  '(?:token|passw(?:or)?d|pwd|passphrase|secret|credentials?|(?:api|access|secret|private|auth|account|signing|encryption)[_-]?key)';
/** Every name that `secretWords` matches, and every header, contains one of these. */
const partOfName = /token|passw|pwd|passphrase|secret|credential|key|bearer|authorization/i;
const secretName = new RegExp(`${secretWords}$`, 'i');
const sign = String.raw`(["']?)(\s{0,4}(?:=>|:=|=|:)\s{0,4})`;
const assignedSecret = new RegExp(secretWords + sign, 'i');
/** Matches a name, its optional closing quote, the operator and the value: a string literal or a word. */
const assignment = new RegExp(
  String.raw`(?<![\w-])([\w-]{0,60}?${secretWords})${sign}(?:(["'${'`'}])([^"'${'`'}\r\n]{1,400})\4|([^\s"'${'`'},;()[\]{}<>&|]{1,400}))(?=([^\r\n]?))`,
  'gi',
);

function maskAssignment(
  whole: string,
  ...[name, nameQuote, sign, quote, quoted, word, next]: readonly (string | undefined)[]
): string {
  const before = `${name}${nameQuote}${sign}`;
  if (quoted !== undefined) {
    const isSecret = quoted.length >= 6 && !/\s/.test(quoted) && isLiteral(quoted);
    return isSecret ? `${before}${quote}${maskPlaceholder}${quote}` : whole;
  }
  return isSecretWord({ name: name!, sign: sign!, word: word!, next: next! })
    ? before + maskPlaceholder
    : whole;
}

/**
 * A bare word after a name may be code. Environment files have names in capitals; elsewhere only a value that looks
 * random counts.
 */
function isSecretWord({
  name,
  sign,
  word,
  next,
}: Readonly<Record<'name' | 'sign' | 'word' | 'next', string>>) {
  if (!isLiteral(word) || next === '(' || next === '[') return false;
  if (/^[A-Z0-9_]+$/.test(name) && sign.includes('=')) return word.length >= 6 && !isCode(word);
  if (isCode(word)) return false;
  const hasDigit = /\d/.test(word);
  if (sign === '=') return hasDigit && word.length >= 8;
  if (/^:\s+$/.test(sign) && next === '') return hasDigit && word.length >= 8;
  return hasDigit && word.length >= 20 && /[A-Za-z]/.test(word);
}

/** Matches `process.env.TOKEN`, `settings.apiKey`, `a.b`. */
function isCode(word: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(word);
}

/** Returns false for placeholders, variables and values that are masked already. */
function isLiteral(value: string): boolean {
  if (/^[$%<{[*.…]|\$\{|\{\{|…/.test(value)) return false;
  return !/^(?:true|false|null|undefined|none|nil|string|number|boolean|x+|\*+|your[_-].*|changeme|masked)$/i.test(
    value,
  );
}
