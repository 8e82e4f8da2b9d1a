/** The computer that the agent runs on, and its user. */
export interface Machine {
  /** The user's home folder, absolute. */
  readonly home: string;
  /** As Node names it. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
