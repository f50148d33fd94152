# Readers of serving, LLM and GPU benchmarks.
