/* A TypeScript project with ambiguous names: several classes have a `total` and a `send`. */

import { randomFrom } from '../folders.ts';

/** Contents by path. */
export type Files = Readonly<Record<string, string>>;

export interface Job {
  readonly path: string;
  readonly number: number;
  /** Class whose `total` it adds to that of an invoice. */
  readonly other: 'Cart' | 'Report';
  readonly usesInvoice: boolean;
  /** True if the variable has a telling name. */
  readonly isNotifying: boolean;
  readonly channel: 'Mailer' | 'Socket' | 'PrintQueue';
  /** Use of the address of a customer. */
  readonly address: 'any' | 'needed' | 'absent';
}

const tsconfig = `{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "types": [],
    "lib": ["es2023"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true
  },
  "include": ["src"]
}
`;

/** Maximum number of files that use an edited class and are checked after the edit. */
const maxUsers = 16;

export function jobsOf(count: number): readonly Job[] {
  return Array.from({ length: count }, (_, number) => ({
    path: `src/work/job${number}.ts`,
    number,
    other: number % 2 === 0 ? 'Cart' : 'Report',
    usesInvoice: number % 3 !== 2,
    isNotifying: number % 2 === 0,
    channel: (['Mailer', 'Socket', 'PrintQueue'] as const)[number % 3]!,
    address: number >= maxUsers ? 'absent' : number % 2 === 0 ? 'needed' : 'any',
  }));
}

export function filesOf(jobs: readonly Job[]): Files {
  return {
    'tsconfig.json': tsconfig,
    'src/customers/customer.ts': customer,
    'src/billing/invoice.ts': summing('Invoice', 'readonly lines: readonly number[]', 'this.lines'),
    'src/shop/cart.ts': summing('Cart', 'private readonly prices: readonly number[]', 'this.prices'),
    'src/report/report.ts': summing('Report', 'private readonly rows: readonly number[]', 'this.rows'),
    'src/mail/mailer.ts': sending('Mailer'),
    'src/net/socket.ts': sending('Socket'),
    'src/print/printQueue.ts': sending('PrintQueue'),
    ...Object.fromEntries(jobs.map(job => [job.path, textOf(job)])),
  };
}

const customer = `/** Who buys. */
export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly city: string;
}

export function describeAddress(email: string | undefined): string {
  return email === undefined ? 'no address' : \`<\${email}>\`;
}
`;

function summing(name: string, field: string, list: string): string {
  return `/** ${name} of the shop. */
export class ${name} {
  constructor(${field}) {}

  total(): number {
    return ${list}.reduce((sum, each) => sum + each, 0);
  }
}

${filler(name, 4)}`;
}

function sending(name: string): string {
  return `/** ${name} of the shop. */
export class ${name} {
  private readonly sent: string[] = [];

  send(to: string, text: string): boolean {
    this.sent.push(\`\${to}: \${text}\`);
    return this.sent.length < 1000;
  }
}

${filler(name, 4)}`;
}

const modules = { Cart: 'shop/cart', Report: 'report/report' } as const;
const channels = { Mailer: 'mail/mailer', Socket: 'net/socket', PrintQueue: 'print/printQueue' } as const;

/** Returns the name of the invoice variable. */
export const invoiceOf = ({ isNotifying }: Job): string => (isNotifying ? 'invoice' : 'each');

function textOf(job: Job): string {
  const { number, other, channel, usesInvoice, address } = job;
  const imports = [
    ...(usesInvoice ? ["import type { Invoice } from '../billing/invoice.ts';"] : []),
    ...(address === 'absent' ? [] : [customerImport(address)]),
    `import type { ${channel} } from '../${channels[channel]}.ts';`,
    `import type { ${other} } from '../${modules[other]}.ts';`,
  ].sort();
  const parts = [
    `${imports.join('\n')}\n`,
    filler(`job${number}a`, 3),
    job.usesInvoice ? invoiceUse(job) : '',
    otherUse(job),
    filler(`job${number}b`, 2),
    channelUse(job),
    address === 'absent' ? '' : addressUse(job),
    filler(`job${number}c`, 1),
  ];
  return parts.filter(Boolean).join('\n');
}

function customerImport(address: Job['address']): string {
  return address === 'any'
    ? "import { type Customer, describeAddress } from '../customers/customer.ts';"
    : "import type { Customer } from '../customers/customer.ts';";
}

function invoiceUse(job: Job): string {
  const name = invoiceOf(job);
  return `/** Adds up what is due in one currency. */
export function dueOfJob${job.number}(list: readonly Invoice[], rate: number): number {
  let due = 0;
  for (const ${name} of list) {
    if (${name}.lines.length === 0) continue;
    const known = Math.min(rate, 1);
    due += ${name}.total() * known;
  }
  return due;
}
`;
}

function otherUse({ number, other, isNotifying }: Job): string {
  const name = isNotifying ? other.toLowerCase() : 'each';
  return `/** Adds up what others have. */
export function sumOfJob${number}(list: readonly ${other}[], share: number): number {
  let sum = 0;
  for (const ${name} of list) {
    const part = share > 1 ? 1 / share : share;
    sum += ${name}.total() * part;
  }
  return sum;
}
`;
}

function channelUse({ number, channel }: Job): string {
  return `/** Tells people how far the job is. */
export class Teller${number} {
  private told = 0;

  constructor(private readonly channel: ${channel}) {}

  get count(): number {
    return this.told;
  }

  announceStep${number}(to: string, step: number): boolean {
    const text = \`Step \${step} of job ${number} is done.\`;
    if (to === '' || step < 0) return false;
    this.told += 1;
    return this.channel.send(to, text);
  }

  describe(): string {
    return \`\${this.told} messages of job ${number}\`;
  }
}
`;
}

function addressUse({ number, address }: Job): string {
  const use = address === 'any' ? 'describeAddress(customer.email)' : 'customer.email.toLowerCase()';
  return `export function addressOfJob${number}(customer: Customer): string {
  const city = customer.city.trim();
  const address = ${use};
  return \`\${customer.name}, \${city}, \${address}\`;
}
`;
}

const words = 'balance carry debit entry figure grand journal ledger margin note order stock'.split(' ');

/** Returns unrelated content of a file. */
function filler(name: string, count: number): string {
  const random = randomFrom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  const word = () => words[random(words.length)]!;
  const parts = Array.from({ length: count }, (_, at) => {
    const [one, two] = [word(), word()];
    return `/** Keeps the ${one} below its limit, and says how much of the ${two} is left. */
export function ${name}Limit${at}(${one}Values: readonly number[], limit: number): number {
  let rest = limit;
  for (const value of ${one}Values) {
    if (value < ${random(100)}) continue;
    if (rest - value < 0) return 0;
    rest -= value;
  }
  return Math.max(rest, ${random(10)});
}
`;
  });
  return parts.join('\n');
}
