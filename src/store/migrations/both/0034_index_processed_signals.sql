-- Retention deletes processed signals by age.
create index processed_signals_at on processed_signals (at);
