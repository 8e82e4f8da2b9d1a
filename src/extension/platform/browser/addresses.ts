/* Classifies hosts of web addresses by how they are written. */

export type HostKind = 'local' | 'metadata' | 'private' | 'public';

/** Host names of cloud metadata services, which hand out the machine's keys. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);
/** Metadata addresses outside of the link-local range: Alibaba, Oracle, Azure. */
const metadataAddresses = new Set(['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254']);

/** @param hostname as `URL` normalizes it, which resolves numbers of any notation */
export function classifyHost(hostname: string): HostKind {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const plain = mapped(host) ?? host;
  if (metadataNames.has(plain) || metadataAddresses.has(plain)) return 'metadata';
  if (plain === 'localhost' || plain.endsWith('.localhost') || plain === '::1') return 'local';
  const numbers = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(plain);
  if (numbers) return placeOfNumbers(Number(numbers[1]), Number(numbers[2]));
  if (/^fe[89ab][0-9a-f]:/.test(plain)) return 'metadata';
  if (/^f[cd][0-9a-f]{2}:/.test(plain) || plain === '::') return 'private';
  return /\.(?:local|internal|lan|home\.arpa)$/.test(plain) || !/[.:]/.test(plain) ? 'private' : 'public';
}

function placeOfNumbers(first: number, second: number): HostKind {
  if (first === 127) return 'local';
  if (first === 169 && second === 254) return 'metadata';
  const isPrivate =
    first === 0 ||
    first === 10 ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second < 128) ||
    first >= 224;
  return isPrivate ? 'private' : 'public';
}

/** Returns the IPv4 address that an IPv6 address wraps. */
function mapped(host: string): string | undefined {
  const found = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!found) return undefined;
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Treats a host with and without `www.` as the same. */
export function isSameHost(one: string, other: string): boolean {
  return one.replace(/^www\./, '') === other.replace(/^www\./, '');
}
