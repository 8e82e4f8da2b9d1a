import { isIP } from 'node:net';

/**
 * The entries of `NO_PROXY` in the forms that Node takes: it reads neither blanks between them nor networks, and takes a
 * name for that host alone, where other programs mean what stands below it, too.
 */
export function bypassedHosts(except: string): readonly string[] {
  return except.split(/[\s,]+/).flatMap(entry => {
    const plain = entry
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .replace(/\/$/, '');
    if (plain === '' || plain === '*') return plain === '' ? [] : [plain];
    if (plain.includes('/')) return networkRange(plain);
    if (isIP(plain) === 6) return [`[${plain}]`, plain];
    const [, name = '', port = ''] = /^(.*?)\.?(:\d+)?$/.exec(plain) ?? [];
    if (isIP(name) === 4 || name.startsWith('[')) return [name + port];
    const domain = name.replace(/^\*?\./, '');
    return [domain + port, `.${domain}${port}`, `*.${domain}${port}`];
  });
}

/** `10.0.0.0/8` as `10.0.0.0-10.255.255.255`; none for what is no network of the fourth version. */
function networkRange(network: string): readonly string[] {
  const [, address = '', bits] = /^([\d.]+)\/(\d+)$/.exec(network) ?? [];
  const size = 2 ** (32 - Number(bits));
  if (isIP(address) !== 4 || !(size >= 1 && size <= 2 ** 32)) return [];
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return [[first, first + size - 1].map(dotted).join('-')];
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(number / 2 ** shift) % 256).join('.');
}
