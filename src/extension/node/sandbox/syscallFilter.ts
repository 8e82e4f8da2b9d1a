/*
 * Blocks system calls that bypass namespaces or stop the sandbox's first process: kernel key rings, sockets between
 * virtual machines, io_uring (whose calls no filter sees), tracing of a running process and its open files, injecting
 * terminal input. The filter is a BPF program (seccomp(2)): it loads a number, compares it, and returns a verdict.
 */

/** Returns `undefined` for an unknown architecture; the command then runs without a filter. */
export function syscallFilter(arch: string): Uint8Array | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const load = (offset: number) => operation(0x20, 0, 0, offset);
  const answer = (value: number) => operation(0x06, 0, 0, value);
  const isEqual = (value: number, then: number, otherwise: number) => operation(0x15, then, otherwise, value);
  const denied = answer(0x0005_0000 | notPermitted);
  /** Denies a call if its argument has one of these values. Compares the lower half only, like the kernel. */
  const whenArgumentIs = (call: number, offset: number, values: readonly number[]) => [
    isEqual(call, 0, 2 + 2 * values.length),
    load(offset),
    ...values.flatMap(value => [isEqual(value, 0, 1), denied]),
    load(offsets.number),
  ];
  const blocks = machine.denied.flatMap(call => [isEqual(call, 0, 1), denied]);
  const program = [
    load(offsets.arch),
    // Calls of another architecture have other numbers.
    isEqual(machine.audit, 1, 0),
    denied,
    load(offsets.number),
    // First call number of the x32 ABI.
    operation(0x35, 0, 1, 0x4000_0000),
    denied,
    ...blocks,
    ...whenArgumentIs(machine.socket, offsets.firstArgument, [vsockFamily]),
    // If a tracer stopped the first process inside, it would never end.
    ...whenArgumentIs(machine.ptrace, offsets.firstArgument, [attachRequest, seizeRequest]),
    // Injected terminal input would be read by the next program there.
    ...whenArgumentIs(machine.ioctl, offsets.secondArgument, [pushKey, steerConsole]),
    answer(0x7fff_0000),
  ];
  return Buffer.concat(program);
}

const notPermitted = 1;
const vsockFamily = 40;
const attachRequest = 16;
const seizeRequest = 0x4206;
/** TIOCSTI, and TIOCLINUX, which pastes the selection of a console. */
const pushKey = 0x5412;
const steerConsole = 0x541c;
const offsets = { number: 0, arch: 4, firstArgument: 16, secondArgument: 24 } as const;

interface Machine {
  readonly audit: number;
  readonly socket: number;
  readonly ptrace: number;
  readonly ioctl: number;
  readonly denied: readonly number[];
}

/**
 * add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup, io_uring_enter, io_uring_register,
 * and pidfd_getfd, with which a command could take open files of the sandbox's first process.
 */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000_003e,
    socket: 41,
    ptrace: 101,
    ioctl: 16,
    denied: [248, 249, 250, 298, 321, 323, 425, 426, 427, 438],
  },
  arm64: {
    audit: 0xc000_00b7,
    socket: 198,
    ptrace: 117,
    ioctl: 29,
    denied: [217, 218, 219, 241, 280, 282, 425, 426, 427, 438],
  },
};

function operation(code: number, then: number, otherwise: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
