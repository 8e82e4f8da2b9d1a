/** Put together here, so that no scanner takes a file for a leak. */
const random = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7n';

/** Texts with a secret, and the part that must be nowhere. */
export const secrets: Readonly<Record<string, { readonly text: string; readonly hidden: string }>> = {
  'a Google API key': { text: `AIza${random.slice(0, 35)}`, hidden: random.slice(8, 35) },
  'an OpenAI key': { text: `sk-proj-${random}`, hidden: random.slice(8) },
  'a GitHub token': { text: `ghp_${random.slice(0, 36)}`, hidden: random.slice(8, 36) },
  'an npm token': { text: `npm_${random.slice(0, 36)}`, hidden: random.slice(8, 36) },
  'a JSON Web Token': { text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random}`, hidden: random.slice(8) },
  'a password of the environment': {
    text: `DB_PASSWORD=${random.slice(0, 12)}`,
    hidden: random.slice(4, 12),
  },
  'a password in an address': {
    text: `postgres://bob:${random.slice(0, 12)}@host/db`,
    hidden: random.slice(4, 12),
  },
  'a key in a text of code': {
    text: `const apiKey = "${random.slice(0, 12)}";`,
    hidden: random.slice(4, 12),
  },
  'a header': { text: `Authorization: Bearer ${random}`, hidden: random.slice(8) },
  'a private key': {
    text: `-----BEGIN PRIVATE KEY-----\n${random}\n${random}\n-----END PRIVATE KEY-----`,
    hidden: random.slice(8),
  },
};
