import { hasTool, type PromptFacts } from './facts.ts';

/** How to build what does not exist yet. */
export function applications(facts: PromptFacts): string | undefined {
  if (facts.mode === 'plan' || !hasTool(facts, 'write_file')) return undefined;
  return `# A new application
Understand what it is for, who uses it on what, and what is fixed. Propose in a few lines: purpose, main features, look, technologies, what stands in for missing assets.${facts.interactive ? ' Build once the user agrees.' : ''} Where nothing is said: React or Angular with Bootstrap and Material Design for web pages; Node.js with Express, or FastAPI, for services; Next.js, or Django or Flask with React, for both; Python or Go for command lines; Compose Multiplatform or Flutter for mobile; HTML, CSS and JavaScript for 2D games, Three.js for 3D.
Scaffold with the usual tools, then build every feature; draw simple placeholders yourself and name what should replace them. It is done when it builds without an error, was tried, and looks finished. Then say how to start it${facts.interactive ? ', and offer to' : ''}.`;
}
