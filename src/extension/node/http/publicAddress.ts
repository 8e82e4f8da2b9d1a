import { BlockList, isIPv6 } from 'node:net';

/**
 * Addresses outside of the public internet (IANA special-purpose registries): this machine, private networks,
 * link-local, shared, documentation, benchmarking, multicast, reserved, and IPv6 ranges that wrap IPv4 addresses.
 * `BlockList` classifies IPv4-mapped IPv6 addresses by their IPv4 part.
 */
const closed = listOf([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

export function isPublicAddress(address: string, allowLoopback: boolean): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
  if (allowLoopback && loopback.check(plain, family)) return true;
  return !closed.check(plain, family);
}

function listOf(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4');
  return list;
}
