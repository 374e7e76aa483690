import { Choice, Int, Nested, Text } from '@platform/validation';

export class CacheHealth {
  @Choice(['up', 'down']) status!: 'up' | 'down';
  @Choice(['redis', 'memory']) driver!: 'redis' | 'memory';
  @Int({ optional: true }) latency_ms?: number;
}

export class HealthReply {
  @Choice(['ok', 'error']) status!: 'ok' | 'error';
  @Nested(() => CacheHealth) cache!: CacheHealth;
}

export class TestReply {
  @Text({ example: 'berhasil' }) message!: string;
}
