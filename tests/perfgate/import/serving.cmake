# Readers of serving, LLM and GPU benchmarks.
foreach(unit serving_json summary_check vllm_serve vllm_offline sglang llama_bench nvbench)
  perfgate_test(NAME import.${unit} SOURCES ${unit}_test.cc DEPENDS perfgate::import)
endforeach()
