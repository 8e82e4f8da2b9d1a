import { describe, expect, test } from 'vitest';
import { isFreeOfSecrets, maskSecrets, namesSecret } from '../../src/extension/base/maskSecrets.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const random = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7n';
const lower = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0';

describe('secrets of known formats are masked', () => {
  const secrets: Readonly<Record<string, readonly [string, string]>> = {
    'Google API key': [`AIza${random.slice(0, 35)}`, 'AIza…[masked]'],
    'Google OAuth token': [`ya29.${random}`, 'ya29.…[masked]'],
    'OpenAI key': [`sk-${random}`, 'sk-…[masked]'],
    'OpenAI project key': [`sk-proj-${random}_${random}`, 'sk-proj-…[masked]'],
    'Anthropic key': [`sk-ant-api03-${random}-${random}AA`, 'sk-ant-…[masked]'],
    'key of a router, in hex': [`sk-or-v1-${lower}`, 'sk-or-…[masked]'],
    'GitHub token': [`ghp_${random.slice(0, 36)}`, 'ghp_…[masked]'],
    'GitHub fine-grained token': [`github_pat_11AB_${random}`, 'github_pat_…[masked]'],
    'GitLab token': [`glpat-${random.slice(0, 20)}`, 'glpat-…[masked]'],
    'AWS key id': [`AKIA${'ABCDEFGH12345678'}`, 'AKIA…[masked]'],
    'Slack token': [`xoxb-1234567890-${random}`, 'xoxb-…[masked]'],
    'npm token': [`npm_${random.slice(0, 36)}`, 'npm_…[masked]'],
    'JSON Web Token': [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random}`, 'eyJ…[masked]'],
  };
  for (const [name, [secret, shown]] of Object.entries(secrets)) {
    test(`a ${name}, wherever it stands`, () => {
      const places = ['', ' and ', '"', '`', '(', '?key=', 'X-Api: ', '\n', '\\n', ','];
      for (const before of places) {
        for (const after of ['', ' then', '"', '`', ')', '\n', '&x=1', ',']) {
          expect(isFreeOfSecrets(before + secret + after)).toBe(false);
          const masked = maskSecrets(before + secret + after);
          expect(masked).toBe(before + shown + after);
        }
      }
    });
  }
});

describe('what a name says is secret is masked', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['GITHUB_TOKEN=abcdef', 'GITHUB_TOKEN=[masked]'],
    ['export DB_PASSWORD="hunter22"', 'export DB_PASSWORD="[masked]"'],
    ['$env:API_KEY = "hunter22"', '$env:API_KEY = "[masked]"'],
    ['const apiKey = "abcdef123";', 'const apiKey = "[masked]";'],
    ["{ 'client_secret': 'abcdef123' }", "{ 'client_secret': '[masked]' }"],
    ['"password": "hunter2", "user": "bob"', '"password": "[masked]", "user": "bob"'],
    ['password: hunter222\nuser: bob', 'password: [masked]\nuser: bob'],
    ['?access_token=abc12345&page=2', '?access_token=[masked]&page=2'],
    ['//host/:_authToken=abc-1234-def', '//host/:_authToken=[masked]'],
    [`aws_secret_access_key = ${random}`, 'aws_secret_access_key = [masked]'],
    ['Authorization: Bearer abcdefgh', 'Authorization: Bearer [masked]'],
    ['authorization: "Basic Ym9iOnB3MTIz"', 'authorization: "Basic [masked]"'],
    [`curl -H 'X: Bearer ${lower}'`, "curl -H 'X: Bearer [masked]'"],
    ['postgres://bob:hunter2@host:5432/db', 'postgres://bob:[masked]@host:5432/db'],
    ['https://:tok3n@host/x', 'https://:[masked]@host/x'],
  ];
  for (const [text, masked] of cases) {
    test(text, () => {
      expect(maskSecrets(text)).toBe(masked);
      expect(isFreeOfSecrets(text)).toBe(false);
    });
  }

  test('names are known by their last word', () => {
    const names = [
      'DB_PASSWORD',
      'apiKey',
      'api-key',
      'secret',
      'accessToken',
      'private_key',
      'key',
      'tokens',
      'monkey',
    ];
    expect(names.filter(namesSecret)).toEqual(names.slice(0, 6));
  });
});

describe('private keys', () => {
  const body = `${random}${random}\n${random}==`;
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
  const masked = '-----BEGIN RSA PRIVATE KEY-----…[masked]';

  test('a whole block goes, and the text around it stays', () => {
    expect(maskSecrets(`before\n${pem}\nafter`)).toBe(`before\n${masked}\nafter`);
  });

  test('also in a diff, with line numbers, as a string literal, or cut off', () => {
    const shapes = [
      pem.replace(/^/gm, '+'),
      pem.replace(/^(?!-----B)/gm, '-'),
      pem.replaceAll('\n', '\n12: '),
      pem.replaceAll('\n', '\\n'),
      pem.slice(0, -40),
    ];
    for (const shape of shapes) {
      const result = maskSecrets(shape);
      expect(result).toContain('[masked]');
      expect(result).not.toContain(random);
    }
  });

  test('the words alone, and public keys, stay', () => {
    for (const text of [
      "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) throw new Error('no');",
      `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`,
      `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`,
    ]) {
      expect(maskSecrets(text)).toBe(text);
    }
  });
});

describe('what is no secret stays as it is', () => {
  const plain = [
    'commit ff466821d0c9f8a7b6c5d4e3f2a1b0c9d8e7f6a5',
    '"integrity": "sha512-Gk9lhS7Zy5bX0pQ2rT8vW1xY3zA5bC7dE9fG+hI/jK==",',
    'id: 123e4567-e89b-12d3-a456-426614174000',
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA/AIza${random}AKIAABCDEFGH12345678==`,
    'pip install sk-learn sk-learn-contrib-documentation-tools-2',
    '<div class="sk-estimator-doc-link-container-fitted">',
    'npm_config_registry_and_other_settings_of_npm',
    'const token = await readToken(file, 16);',
    'const token = nextToken2;',
    'token: string; password?: string;',
    'secret: Uint8Array;',
    'apiKey: process.env.GEMINI_API_KEY,',
    'API_KEY=$OTHER_KEY',
    'GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}',
    'PASSWORD=<your password>',
    'password: "Type the password"',
    'max_tokens: 1000000000',
    'if (token === "identifier") return;',
    'tokenizer=sentencepiece1',
    'http://localhost:8080/@scope/name',
    'git@github.com:owner/name.git',
    'The bearer of this letter may enter.',
    'A basic authentication of users.',
  ];
  for (const text of plain) test(text, () => expect(maskSecrets(text)).toBe(text));
});

test('masking again changes nothing', () => {
  const pieces = fc.constantFrom(
    ...[
      'AIza',
      'sk-',
      'ghp_',
      random,
      lower,
      'TOKEN',
      '=',
      ': ',
      '"',
      "'",
      ' ',
      '\n',
      'password',
      '://a:',
      '@',
    ],
    'Bearer ',
    'Authorization: ',
    'eyJhbGciOiJI',
    '.',
    '-----BEGIN PRIVATE KEY-----',
    '$',
    '[masked]',
    '…',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), list => {
      const once = maskSecrets(list.join(''));
      expect(maskSecrets(once)).toBe(once);
    }),
    { numRuns: runSize({ test: 1000, prove: 100_000 }) },
  );
});

test('a megabyte made to be slow comes to its end', () => {
  const units = [
    'AIza',
    'sk-',
    'sk-a-',
    'eyJ',
    'eyJaaaaaaaaa.',
    'ghp_',
    'xoxb-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----AAAA ',
    'token',
    'TOKEN=',
    'TOKEN=a.b.',
    'password: "',
    'api_key ',
    'secret-',
    '://',
    ' ://a:',
    'bearer ',
    'Bearer  ',
    'authorization: ',
    'a',
    'A',
    '_',
    '-',
    '=',
    '"',
    ' ',
    '.',
    '\\n',
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(maskSecrets(text).length).toBeGreaterThan(0);
  }
});
