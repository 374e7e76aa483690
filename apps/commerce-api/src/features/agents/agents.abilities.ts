/** What a caller may do with AI agents and what they know. */
export const agentAbilities = ['agent.write'] as const;
