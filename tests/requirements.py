"""The requirements: what must hold, where that is laid down, and which tests hold it.

Sources are named as in the library's docstrings: "draft" is SILP's document, "seed" that of the other protocols, each
its own; what they leave open or contradict is settled in ``silp.md``, ``slipstream.md``, ``eap.md`` and
``agent-lingua.md``; "design" is this library's. A behaviour that several sections ask for stands under the one that
says it best. `test_requirements.py` enforces the table both ways: a new test of a protocol is named here, by a
requirement that is there or by a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST: Final = 150
"""Most requirements; a list that nobody can read in one sitting is read by nobody."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One behaviour that must hold.

    Attributes:
        id: its name, which begins with the protocol's.
        source: document and section, a key of `SOURCES`.
        behaviour: what must hold, in a sentence.
        tests: the tests that hold it, each ``module::function``.
    """

    id: str
    source: str
    behaviour: str
    tests: tuple[str, ...]


def held(**modules: str) -> tuple[str, ...]:
    """Tests by module, each module's separated by blanks, as ``module::function``."""
    return tuple(f"{module}::{name}" for module, names in modules.items() for name in names.split())


SOURCES: Final = {
    "draft, section 3.1": "Root IR Object",
    "draft, section 3.2": "Entity Object",
    "draft, section 3.6": "Request ID (req_id) Collision Requirements",
    "draft, section 3.7": "Action Code Format",
    "draft, section 3.8": "Verb Whitelist",
    "draft, section 3.9": "JSON Schema Representation",
    "draft, section 4.1": "Code Frontend",
    "draft, section 4.2": "JSON Frontend",
    "draft, section 4.3": "Natural Language Frontend",
    "draft, section 4.5": "LLMLingua-2 Frontend",
    "draft, section 4.6": "Lossless Round-Trip Guarantee",
    "draft, section 5.1": "Error Codes",
    "draft, section 8.2": "Payload Injection",
    "silp.md, later clarifications": "what the author's later drafts say of the first",
    "silp.md, contradictions 1 to 4": "Else branch, then, constraint names, space after a comma",
    "silp.md, contradiction 5": "Time as a positional argument",
    "silp.md, contradiction 8": "The arrow form",
    "silp.md, contradiction 11": "All other fields preserved, by a comment",
    "silp.md, contradiction 12": "The same in JSON",
    'silp.md, "settled to the character"': "words, calls, canonical IR, request ids, what is refused everywhere",
    "seed, section 2.1": "The 4D Semantic Manifold",
    "seed, section 2.2": "Anchor Structure",
    "seed, section 2.3": "Core Anchors",
    "seed, section 3.1": "Wire Format",
    "seed, section 9": "Implementation",
    'slipstream.md, "Wire"': "SLIP v1, its narrow profile, and v3",
    'slipstream.md, "UCR"': "the codebook and its operations",
    'seed, "Packet Model"': "what a packet has",
    'seed, "CLI"': "instructions and glosses",
    'seed, "System Prompt Template"': "what an EAP-native agent is told",
    'eap.md, "EAP packet"': "both forms, values, targets, several packets",
    'eap.md, "AIT"': "the tape below EAP, and its dictionary",
    'eap.md, "Published benchmark"': "14 tasks in six forms",
    'seed, "Syntax Structure"': "marker, codes and fields",
    "seed, the tables": "domains, actions, modifiers, targets, statuses, errors",
    'seed, "Time Encoding"': "delays, intervals and instants",
    'seed, "Condition Encoding"': "types and operators",
    'seed, "Payload Encoding"': "five encodings",
    'agent-lingua.md, "Message grammar"': "the grammar, settled",
    'agent-lingua.md, "JSON payload abbreviations"': "short keys, reversibly",
    'agent-lingua.md, "Handshake"': "offer, accept, learning, rejection, query, end",
    'design, "One idea"': "the interlingua: nothing is lost, nothing is trusted but what this library would write",
    'design, "Public API"': "names, classes of errors, detection",
    'design, "Message JSON"': "the JSON form of each kind",
    'design, "Dependencies"': "the IR is what LLM SDKs take as a structured output",
    'design, "Quality bars"': "lossless; nothing but DecodeError; linear time; limits that are named",
}
"""The sections that requirements stem from, and what they are about."""


# --- SILP -------------------------------------------------------------------------------------------------------------

SILP: Final = (
    Requirement(
        "silp-3.1-root", "draft, section 3.1",
        "The root is closed: an unknown field, or a missing intent or meta, is refused where it stands.",
        held(test_silp_ir="test_conformance test_what_the_schema_refuses"),
    ),
    Requirement(
        "silp-3.2-open-parts", "draft, section 3.2",
        "Unknown fields of the parts hold any JSON value, are kept, and are ignored in silence.",
        held(
            test_silp_ir="test_extra_fields_hold_any_json_value",
            test_required="test_receivers_ignore_unknown_fields_silently",
        ),
    ),
    Requirement(
        "silp-3.6-req-id", "draft, section 3.6",
        "A new request id has 8 hex digits; fewer than 8 are a warning, and what is no hex is refused.",
        held(
            test_silp_ir="test_a_missing_request_id_is_filled_in_by_from_json_alone test_conformance",
            test_silp_verbs="test_findings",
        ),
    ),
    Requirement(
        "silp-3.7-action-code", "draft, section 3.7",
        "Action codes are ! and A-Z with _, read and written by the schema, with a warning where the ABNF differs.",
        held(
            test_silp_code="test_vectors test_what_is_written test_every_valid_ir_survives",
            test_silp_schema="test_every_single_fault_is_seen_by_all_three",
            test_silp_verbs="test_findings test_findings_say_what_would_be_right",
        ),
    ),
    Requirement(
        "silp-3.8-whitelist", "draft, section 3.8",
        "Thirteen verbs are approved; SWITCH_TOOL and ESCALATE are excluded by name, with counts and a reason.",
        held(test_silp_verbs="test_the_whitelist_is_the_drafts test_two_verbs_are_excluded_by_name test_refusals"),
    ),
    Requirement(
        "silp-3.8-advisory-or-strict", "silp.md, later clarifications",
        "The whitelist is advice unless strict; then unapproved verbs are refused wherever they stand.",
        held(
            test_silp_verbs="test_findings test_another_mode_is_refused"
            " test_strict_readers_refuse_what_is_not_approved test_strict_reading_and_the_strict_check_agree",
            test_silp_code="test_strict_reading_takes_approved_verbs"
            " test_strict_reading_refuses_verbs_that_are_not_approved",
            test_silp_ir="test_strict_reading_holds_to_the_whitelist",
            test_silp_json="test_strict_reading_refuses_unapproved_verbs_where_they_stand",
        ),
    ),
    Requirement(
        "silp-advice", "silp.md, later clarifications",
        "Undefined words in seq and odd session ids are flagged, kept, and nothing is inferred from them.",
        held(
            test_silp_verbs="test_findings test_findings_say_what_would_be_right",
            test_silp_ir="test_every_ir_comes_back_exactly",
        ),
    ),
    Requirement(
        "silp-3.9-schema", "draft, section 3.9",
        "Decoder, published file and the draft's schema judge alike; what is refused beyond it is a closed list.",
        held(
            test_silp_schema="test_the_file_is_a_schema_and_differs_only_in_notes test_every_field_is_described"
            " test_the_normative_schema_is_the_drafts test_three_judges_agree"
            " test_every_single_fault_is_seen_by_all_three test_what_the_decoder_refuses_beyond_the_schema",
            test_silp_ir="test_numbers_are_read_as_the_schema_sees_them",
        ),
    ),
    Requirement(
        "silp-structured-output", 'design, "Dependencies"',
        "The class's schema is one that LLM SDKs take as a structured output; null stands for absent there.",
        held(
            test_silp_schema="test_the_class_keeps_the_strict_conventions"
            " test_what_a_model_reads_is_about_the_message test_optional_fields_are_nullable_and_no_others"
            " test_a_filled_in_document_is_the_message_without_its_nulls",
            test_silp_ir="test_null_stands_for_absent_in_python",
        ),
    ),
    Requirement(
        "silp-3.9-classes", "draft, section 3.9",
        "The classes check at construction and assignment; what a decoder builds without that is valid and whole.",
        held(
            test_silp_ir="test_the_constructor_checks test_assignment_is_checked"
            " test_what_is_built_without_validation_is_a_whole_object"
            " test_what_is_built_without_validation_shares_nothing test_the_builders_know_the_classes",
            test_silp_code="test_what_is_decoded_is_valid",
        ),
    ),
    Requirement(
        "silp-ir-text", "draft, section 4.6",
        "silp-ir gives an IR back exactly, in every field and type; defaults are left out, the order is the schema's.",
        held(test_silp_ir="test_every_ir_comes_back_exactly test_defaults_are_left_out_and_the_order_is_the_schemas"),
    ),
    Requirement(
        "silp-json-form", 'design, "Message JSON"',
        "from_json names the path of what is wrong and shares nothing; to_json writes defaults out.",
        held(
            test_silp_ir="test_the_json_form_writes_defaults_out test_from_json_names_the_path"
            " test_from_json_shares_nothing_with_its_argument",
        ),
    ),
    Requirement(
        "silp-4.1-plain", "draft, section 4.1",
        "What the call syntax can say is written in the plain grammar alone, without a comment.",
        held(test_silp_code="test_vectors test_what_is_written test_what_the_call_syntax_can_say_needs_no_comment"),
    ),
    Requirement(
        "silp-4.1-words", 'silp.md, "settled to the character"',
        "Bare words are letters, marks and decimal digits of any script and twelve signs; all else is a string.",
        held(test_silp_code="test_bare_words test_every_bare_word_fits_the_superset_pattern"),
    ),
    Requirement(
        "silp-4.1-spellings", "silp.md, contradictions 1 to 4",
        "Both else forms, then for the colon, any case of names and any blanks are read; one spelling is written.",
        held(
            test_silp_code="test_vectors test_lenient_spellings test_what_is_written"
            " test_what_the_call_syntax_can_say_needs_no_comment",
        ),
    ),
    Requirement(
        "silp-4.1-time", "silp.md, contradiction 5",
        "A bare time reference is the time in calls and constraints, a quoted one a value; in a fallback, a target.",
        held(test_silp_code="test_a_time_reference_is_the_time_in_calls_alone test_two_arguments_of_a_condition"),
    ),
    Requirement(
        "silp-arrows", "silp.md, contradiction 8",
        "The arrow form is read as a sequence with seq in its order, and never written.",
        held(test_silp_code="test_the_arrow_form_is_a_sequence test_the_arrow_form_with_condition_and_fallback"),
    ),
    Requirement(
        "silp-4.2-json", "draft, section 4.2",
        "Arguments are top-level slots in any layout; a text that is no message says where and why.",
        held(
            test_silp_json="test_conformance test_what_is_written test_white_space_and_order_are_free"
            " test_what_is_refused",
        ),
    ),
    Requirement(
        "silp-4.3-prose", "draft, section 4.3",
        "A message is one English sentence as a person would say it; nl_json holds the same prose.",
        held(
            test_silp_prose="test_sentences test_conditions test_every_message_has_its_sentence"
            " test_the_same_prose_in_json",
        ),
    ),
    Requirement(
        "silp-4.5-baselines", "draft, section 4.5",
        "Control baselines compile, LLMLingua-2's from the sentence at rate 0.5; decoding is unsupported_frontend.",
        held(
            test_silp_prose="test_the_baselines_only_compile",
            test_llmlingua2="test_the_natural_sentence_is_what_is_compressed test_the_rate_is_an_argument_or_a_setting",
            test_interlingua="test_a_format_without_a_reader_says_so",
        ),
    ),
    Requirement(
        "silp-4.6-code", "silp.md, contradiction 11",
        "Every valid IR survives the code frontend; what a call cannot give back travels whole in one comment.",
        held(
            test_silp_code="test_every_valid_ir_survives"
            " test_the_comment_holds_the_fields_that_the_call_does_not_give_back test_what_is_written",
        ),
    ),
    Requirement(
        "silp-4.6-json", "silp.md, contradiction 12",
        "Every valid IR survives the JSON frontend; what slots cannot say travels in ir, and must not contradict them.",
        held(
            test_silp_json="test_every_ir_comes_back test_what_is_written test_plain_slots_have_no_rest"
            " test_a_field_said_twice_alike_is_read",
        ),
    ),
    Requirement(
        "silp-4.6-req-id", "draft, section 4.6",
        "A decoded text's request id is the beginning of its SHA-256, unless the text was asked to carry it.",
        held(
            test_silp_canonical="test_request_ids_of_texts test_request_ids_are_request_ids",
            test_silp_code="test_request_ids test_a_carried_request_id_survives",
            test_silp_json="test_the_request_id_is_derived_from_the_text"
            " test_the_request_id_is_carried_where_it_is_asked_for",
        ),
    ),
    Requirement(
        "silp-canonical", 'silp.md, "settled to the character"',
        "One canonical IR: defaults, req_id, usual out and an action equal to the intent dropped, numbers by value.",
        held(
            test_silp_canonical="test_the_canonical_text test_by_value_keeps_types_apart_that_json_keeps_apart"
            " test_the_canonical_form_is_a_copy test_what_is_equivalent test_what_is_not_equivalent",
            test_silp_json="test_decoded_entities_name_their_action",
        ),
    ),
    Requirement(
        "silp-hash", 'silp.md, "settled to the character"',
        "The hash is SHA-256 over RFC 8785; equal hashes are equivalence; what that standard cannot carry has none.",
        held(
            test_silp_canonical="test_known_hashes test_the_hash_is_over_rfc_8785 test_equal_hashes_are_equivalence"
            " test_an_integer_that_rfc_8785_cannot_carry_is_refused test_what_was_built_past_the_checks_has_no_hash",
        ),
    ),
    Requirement(
        "silp-5.1-codes", "draft, section 5.1",
        "invalid_syntax, decode_failed, unsupported_version and unsupported_frontend are told apart.",
        held(
            test_silp_ir="test_broken_json_is_invalid_syntax test_another_version_is_refused_before_anything_else",
            test_silp_code_errors="test_malformed_texts",
            test_required="test_what_is_no_format_is_an_unsupported_frontend"
            " test_a_target_that_cannot_hold_a_version_refuses_as_a_translation",
        ),
    ),
    Requirement(
        "silp-8.2-injection", "draft, section 8.2",
        "Whatever a value, id, type, target or name holds, every other field reads as before.",
        held(test_silp_code="test_no_value_changes_any_other_field test_a_trap_in_every_place_at_once"),
    ),
    Requirement(
        "silp-4.1-errors", "draft, section 4.1",
        "A fault is a DecodeError that marks it from its first to its last character, with the right code.",
        held(
            test_silp_code_errors="test_malformed_texts test_spans_are_those_of_the_text_as_received"
            " test_spans_end_where_the_fault_ends test_what_is_no_text_is_a_decode_error"
            " test_a_secondary_action_without_arguments_has_no_ir",
            test_silp_code="test_whatever_the_text_the_decoder_raises_decode_error_alone",
        ),
    ),
    Requirement(
        "silp-encode-errors", 'design, "Public API"',
        "An IR built or changed past its checks is an EncodeError with its path in every frontend and in prose.",
        held(
            test_silp_code="test_models_changed_past_their_checks_are_encode_errors"
            " test_parts_in_the_wrong_list_are_encode_errors test_extra_fields_changed_to_what_no_text_can_carry"
            " test_extra_fields_that_nest_too_deep_or_hold_themselves test_what_is_no_ir_is_an_encode_error"
            " test_no_text_holds_a_lone_surrogate",
            test_silp_json="test_an_ir_built_past_its_checks_is_refused_with_the_path"
            " test_an_extra_field_made_unwritable_later_is_refused",
            test_silp_prose="test_what_was_built_past_the_checks_is_refused",
        ),
    ),
    Requirement(
        "silp-depth", 'design, "Quality bars"',
        "Extra fields nest as deep as a message can hold, alike in reading and writing, and no deeper.",
        held(
            test_silp_ir="test_depth_of_extra_fields_is_limited_alike_in_both_ways",
            test_silp_json="test_depth_of_extra_fields_is_limited_where_they_stand",
            test_silp_code_errors="test_deep_and_large_comments_are_refused_by_name",
        ),
    ),
    Requirement(
        "silp-explain", 'design, "Public API"',
        "A line for a person has the sentence and what the metadata say, in English and Japanese.",
        held(test_silp_prose="test_lines_for_a_person"),
    ),
)  # fmt: skip

# --- Slipstream -------------------------------------------------------------------------------------------------------

SLIP: Final = (
    Requirement(
        "slip-3.1-wire", "seed, section 3.1",
        "SLIP v1, source, destination, anchor and payload; published and public lines read as labelled, to the byte.",
        held(
            test_slip="test_vectors test_public_traffic_is_read_and_written_to_the_byte",
            test_slip_invariants="test_the_format_reads_its_own_example",
        ),
    ),
    Requirement(
        "slip-lossless", 'slipstream.md, "Wire"',
        "Every list of payload strings survives, the empty string included, and a message has one text.",
        held(test_slip="test_every_message_survives", test_slip_invariants="test_made_and_read_messages_have_one_text"),
    ),
    Requirement(
        "slip-tokens", 'slipstream.md, "Wire"',
        "Blanks separate, quotes have JSON's escapes, LF and CR end the line, and one spelling is written.",
        held(test_slip="test_spellings test_two_surrogate_escapes_are_one_character test_only_lf_and_cr_end_a_line"),
    ),
    Requirement(
        "slip-fast-paths", 'design, "Quality bars"',
        "The quick ways of reading and making a message never differ from the careful ones.",
        held(
            test_slip="test_the_quick_and_the_careful_reader_agree",
            test_slip_invariants="test_the_quick_ways_read_what_the_careful_one_reads"
            " test_what_may_be_made_is_what_the_rules_say",
        ),
    ),
    Requirement(
        "slip-names", 'slipstream.md, "Wire"',
        "An agent's name is not empty and holds no white space: an error at the constructor, no broken wire.",
        held(
            test_slip="test_what_is_no_message",
            test_required="test_a_sender_that_is_no_name_shifts_no_field_of_slip",
        ),
    ),
    Requirement(
        "slip-unknown-anchor", 'slipstream.md, "Wire"',
        "An unknown anchor is an error of its own that names the closest mnemonics.",
        held(
            test_slip="test_classes_and_codes_of_errors",
            test_slip_invariants="test_an_unknown_anchor_says_what_would_be_right",
        ),
    ),
    Requirement(
        "slip-allow-unknown", 'slipstream.md, "Wire"',
        "With allow_unknown an anchor that no codebook holds is kept as it is, if it could stand on the wire.",
        held(
            test_slip="test_unknown_anchors_are_kept_on_request test_names_that_no_anchor_could_have"
            " test_unknown_anchors_of_v3",
        ),
    ),
    Requirement(
        "slip-own-anchors", 'slipstream.md, "UCR"',
        "An installation's anchors are read with its codebook; the core goes before.",
        held(test_slip="test_an_installations_own_anchors test_the_core_goes_before_a_codebook"),
    ),
    Requirement(
        "slip-strict", 'slipstream.md, "Wire"',
        "strict holds a message to the cheap-token profile and says which token breaks it.",
        held(test_slip="test_the_narrow_profile"),
    ),
    Requirement(
        "slip-errors", 'slipstream.md, "Wire"',
        "What is wrong with a line is named and pointed at; another version is an error of its own.",
        held(test_slip="test_malformed_lines test_classes_and_codes_of_errors"),
    ),
    Requirement(
        "slip-errors-class", 'design, "Quality bars"',
        "The reader raises DecodeError alone, whatever the text and however long.",
        held(
            test_slip="test_whatever_the_text_only_decode_errors_leave test_a_broken_line_is_read_or_refused"
            " test_what_is_no_text test_a_text_that_is_too_long test_a_long_line_is_read",
        ),
    ),
    Requirement(
        "slip-v3", 'slipstream.md, "Wire"',
        "v3 says an anchor as force and object, word for word; what it cannot hold is refused when it is made.",
        held(
            test_slip="test_force_and_object test_all_core_anchors_but_one_have_their_words_in_v3"
            " test_v3_survives_word_for_word test_limits_of_v3",
            test_slip_invariants="test_no_force_is_the_beginning_of_another test_a_v3_token_is_one_word",
        ),
    ),
    Requirement(
        "slip-9-message", "seed, section 9",
        "A message has the codebook's anchor; it is a value: immutable, hashable, equal by its text.",
        held(
            test_slip="test_a_message_and_its_text test_messages_are_values"
            " test_equal_anchors_and_any_iterable_are_taken",
            test_slip_invariants="test_copies_are_equal test_messages_are_equal_if_they_have_the_same_text",
        ),
    ),
    Requirement(
        "slip-json-form", 'design, "Message JSON"',
        "In JSON the anchor is its mnemonic; version and payload may be left out; faults are named by path.",
        held(test_slip="test_json_form test_what_is_no_json_form test_a_json_form_is_an_object"),
    ),
    Requirement(
        "slip-interlingua", 'design, "One idea"',
        "Every message comes back from the IR, and every IR from a v1 line.",
        held(test_slip="test_every_message_comes_back_from_the_interlingua test_every_ir_comes_back_from_slip"),
    ),
    Requirement(
        "slip-native", 'design, "One idea"',
        "Anchors are said as their verbs, packets as bodies under a heading.",
        held(
            test_slip="test_every_core_anchor_is_said_as_its_verb test_native_shapes_and_carried_irs"
            " test_packets_are_bodies_under_a_heading",
            test_slip_invariants="test_a_packet_with_a_domain_of_its_own_is_native",
        ),
    ),
    Requirement(
        "slip-headings", 'design, "One idea"',
        "The anchor over anything else has the IR's direction and its verb's sense.",
        held(
            test_slip="test_a_heading_fits",
            test_slip_invariants="test_headings test_a_heading_never_says_another_direction"
            " test_a_sealed_message_stands_under_the_letters_of_its_anchor",
        ),
    ),
    Requirement(
        "slip-carried", 'design, "One idea"',
        "What one side has no words for travels whole; what only looks so is plain payload.",
        held(
            test_slip="test_forged_content_stays_plain test_messages_with_unknown_anchors_go_sealed"
            " test_irs_that_slip_has_no_words_for_are_carried",
            test_slip_invariants="test_only_what_the_core_lacks_is_sealed"
            " test_arguments_that_look_like_a_packet_s_body_are_carried",
        ),
    ),
    Requirement(
        "slip-explain", 'design, "Public API"',
        "A line for a person says who tells whom what, in English and Japanese.",
        held(test_slip="test_explaining test_every_core_anchor_has_a_japanese_gloss"),
    ),
)  # fmt: skip

# --- UCR --------------------------------------------------------------------------------------------------------------

UCR: Final = (
    Requirement(
        "ucr-2.1-dimensions", "seed, section 2.1",
        "Coordinates are four levels 0 to 7, with the published names of actions and domains.",
        held(test_ucr="test_the_names_of_levels_are_those_of_the_data test_coordinates_are_four_whole_numbers"),
    ),
    Requirement(
        "ucr-2.1-plausibility", "seed, section 2.1",
        "Whether an anchor fits what its sender may say is answered with the reasons.",
        held(
            test_ucr="test_plausibility test_plausibility_of_what_no_codebook_holds test_a_role_of_names_that_exist"
            " test_a_role_takes_any_collection_and_is_hashable",
        ),
    ),
    Requirement(
        "ucr-2.2-anchor", "seed, section 2.2",
        "Each field of an anchor is checked; nothing stands twice in a codebook.",
        held(test_ucr="test_what_is_no_anchor test_nothing_stands_twice_in_a_codebook"),
    ),
    Requirement(
        "ucr-2.2-extension", "seed, section 2.2",
        "0x8000 to 0xFFFF are an installation's own; an extension leaves the core and the first codebook alone.",
        held(
            test_ucr="test_an_extension_gives_a_larger_codebook_and_leaves_the_first_alone"
            " test_an_extension_takes_no_place_of_another test_a_codebook_of_another_version_has_a_core_of_its_own",
        ),
    ),
    Requirement(
        "ucr-2.3-core", "seed, section 2.3",
        "46 core anchors, found by index and by mnemonic, at the published places.",
        held(
            test_ucr="test_the_core_has_46_anchors_and_each_is_found_both_ways"
            " test_anchors_stand_where_the_table_has_them",
        ),
    ),
    Requirement(
        "ucr-lookups", 'slipstream.md, "UCR"',
        "An index or mnemonic that is not there is named, with the nearest spellings, and never at length.",
        held(
            test_ucr="test_an_index_that_is_not_there test_a_mnemonic_that_is_not_there"
            " test_a_mnemonic_is_text_and_a_long_one_is_cut test_closest_gives_no_more_than_it_is_asked_for",
        ),
    ),
    Requirement(
        "ucr-nearest", 'slipstream.md, "UCR"',
        "Nearest is by Manhattan distance, ties by index; a step along a dimension ends at the nearest anchor.",
        held(
            test_ucr="test_nearest_is_by_manhattan_distance_and_ties_by_index"
            " test_no_anchor_is_nearer_than_the_nearest test_nearest_among_some test_nearest_among_none"
            " test_semantic_arithmetic test_a_step_is_a_whole_number test_what_no_codebook_holds_has_no_place",
        ),
    ),
    Requirement(
        "ucr-exchange", 'slipstream.md, "UCR"',
        "A codebook survives its JSON; its hash is over all anchors by index, and tampering is refused.",
        held(
            test_ucr="test_the_hash_is_that_of_the_rule"
            " test_the_hash_does_not_depend_on_the_order_of_the_anchors_and_changes_with_any_of_them"
            " test_a_codebook_survives_its_json test_a_codebook_that_was_tampered_with",
        ),
    ),
    Requirement(
        "ucr-correspondence", 'design, "One idea"',
        "One table says which verbs, anchors, actions and priorities are the same, readable from every side.",
        held(
            test_ucr="test_every_core_anchor_is_the_same_word_as_one_verb test_verbs_and_actions_are_unique_and_legal"
            " test_an_action_is_the_verb_where_its_16_characters_suffice test_a_heading_points_where_its_verb_does"
            " test_priorities_are_monotonic test_words_that_the_table_lacks",
        ),
    ),
)  # fmt: skip

# --- EAP --------------------------------------------------------------------------------------------------------------

EAP: Final = (
    Requirement(
        "eap-packet", 'seed, "Packet Model"',
        "A packet is made by direction, prints as published, and refuses what no packet has, with the path.",
        held(
            test_eap_packet="test_what_the_constructor_refuses test_what_the_constructor_takes"
            " test_lower_case_codes_are_raised test_the_seed_example test_each_direction_has_its_constructor",
        ),
    ),
    Requirement(
        "eap-value-object", 'seed, "Packet Model"',
        "A packet is immutable, owns its data, and equals only what is the same to the letter.",
        held(
            test_eap_packet="test_equality_is_exact test_a_packet_equals_nothing_else"
            " test_a_packet_is_immutable_and_owns_its_data test_replace_checks_again test_copies_are_equal",
        ),
    ),
    Requirement(
        "eap-json-form", 'design, "Message JSON"',
        "The JSON form comes back; priority and data may be left out; faults are named by path.",
        held(
            test_eap_packet="test_the_json_form_comes_back test_the_json_form_may_leave_defaults_out"
            " test_what_the_json_form_refuses",
        ),
    ),
    Requirement(
        "eap-forms", 'eap.md, "EAP packet"',
        "Both forms read and write the published packets, and refuse the published faults.",
        held(test_eap_wire="test_vectors_that_decode test_vectors_that_do_not_decode"),
    ),
    Requirement(
        "eap-lossless", 'design, "Quality bars"',
        "decode(encode(p)) == p in both forms, and one packet has one text.",
        held(test_eap_wire="test_nothing_is_lost"),
    ),
    Requirement(
        "eap-values", 'eap.md, "EAP packet"',
        "Every value keeps its type: booleans, numbers, none, strings that look like them, JSON.",
        held(test_eap_wire="test_strings_stay_strings test_values test_spellings"),
    ),
    Requirement(
        "eap-keys", 'eap.md, "EAP packet"',
        "A bare key means true; a key that looks like a head, a target or a priority is written with its value.",
        held(test_eap_wire="test_bare_keys_are_true test_keys_that_look_like_a_head"),
    ),
    Requirement(
        "eap-layout", 'eap.md, "EAP packet"',
        "Targets, blanks and colour variants are free on input and fixed on output; both forms carry every packet.",
        held(
            test_eap_wire="test_targets test_a_quoted_target_may_be_a_plain_one test_blanks_are_free"
            " test_unicode_blanks_and_variants_are_free",
        ),
    ),
    Requirement(
        "eap-several", 'eap.md, "EAP packet"',
        "Several packets in a text are a list for decode_all, refused by decode; errors point into the whole text.",
        held(
            test_eap_wire="test_several_packets_in_a_text test_an_empty_text_has_no_packets"
            " test_an_error_in_a_later_packet_points_there",
        ),
    ),
    Requirement(
        "eap-strict", 'eap.md, "EAP packet"',
        "strict holds bare words to those that are written bare.",
        held(test_eap_wire="test_strict_refuses_wide_words_alone"),
    ),
    Requirement(
        "eap-errors", 'design, "Quality bars"',
        "DecodeError alone leaves, at once, where the fault is, with what would be right, within named limits.",
        held(
            test_eap_wire="test_near_misses test_unicode_near_misses test_only_decode_errors_leave"
            " test_what_is_no_text_is_refused test_the_deepest_value_comes_back test_long_runs_end",
        ),
    ),
    Requirement(
        "eap-instructions", 'seed, "CLI"',
        "A rough instruction in Japanese or English is one packet, always the same; else GEN:DO, #ctx0, 5.",
        held(
            test_eap_instruct="test_instructions test_any_text_is_an_instruction test_published_instructions"
            " test_where_no_rule_fits test_what_is_no_instruction test_the_table_is_sound",
        ),
    ),
    Requirement(
        "eap-glosses", 'seed, "CLI"',
        "A packet or tape is one visible line for a person, in English and Japanese, the same for both forms.",
        held(
            test_eap_instruct="test_glosses test_a_tape_is_a_sentence_a_packet"
            " test_every_message_has_a_gloss_of_one_line test_a_gloss_is_the_same_for_both_forms",
        ),
    ),
    Requirement(
        "eap-prompt", 'seed, "System Prompt Template"',
        "The prompt asks for EAP alone, no filler, ASCII unless display is asked for, in the three shapes.",
        held(test_eap_instruct="test_the_prompt_says_what_the_seed_says"),
    ),
    Requirement(
        "eap-benchmark", 'eap.md, "Published benchmark"',
        "Every published line comes back; tapes outside the dictionary are refused with the reason.",
        held(test_eap_instruct="test_published_packets_come_back test_published_tapes_are_read_or_refused"),
    ),
    Requirement(
        "eap-interlingua", 'design, "One idea"',
        "Every packet comes back from the IR and every IR from a packet, through text, at any legal depth.",
        held(
            test_eap_interpret="test_packets_come_back_from_the_ir test_irs_come_back_from_packets"
            " test_a_packet_carries_any_ir_under_a_fitting_head test_the_deepest_ir_is_carried"
            " test_deep_data_come_back_from_the_ir",
        ),
    ),
    Requirement(
        "eap-native", 'eap.md, "EAP packet"',
        "Data pairs are entities in their order, with a type where they are no string; routing is metadata.",
        held(
            test_eap_interpret="test_what_a_packet_says test_positional_arguments"
            " test_text_in_the_metadata_ends_a_packet_by_name test_a_null_in_the_extra_fields_comes_back",
        ),
    ),
    Requirement(
        "eap-carried", 'design, "One idea"',
        "What EAP or the IR has no words for travels whole under a readable head; a forgery is plain data.",
        held(
            test_eap_interpret="test_what_eap_cannot_say_is_carried test_carried_texts"
            " test_forged_carriers_are_plain_data test_actions_that_are_no_action_codes_are_sealed"
            " test_heads_are_readable test_say_is_none_or_an_encode_error_for_what_it_cannot_say",
        ),
    ),
)  # fmt: skip

# --- AIT --------------------------------------------------------------------------------------------------------------

AIT: Final = (
    Requirement(
        "ait-tape", 'eap.md, "AIT"',
        "Four lower-case characters a packet by the published codes, targets in base 36, separated by spaces.",
        held(
            test_ait="test_vectors test_tapes_come_back test_the_codes_of_the_document",
            test_required="test_a_tape_is_four_characters_by_the_published_codes",
        ),
    ),
    Requirement(
        "ait-dictionary", 'eap.md, "AIT"',
        "The dictionary is data, can be replaced, and an ambiguous or broken one is refused.",
        held(
            test_ait="test_ambiguous_dictionaries_are_refused test_a_dictionary_can_be_replaced"
            " test_a_file_that_is_no_dictionary test_words_that_the_dictionary_lacks_cannot_be_written",
        ),
    ),
    Requirement(
        "ait-messages", 'design, "Message JSON"',
        "Illegal packets, tapes and JSON forms are refused with the path.",
        held(test_ait="test_what_a_packet_refuses test_what_a_tape_refuses test_what_the_json_form_refuses"),
    ),
    Requirement(
        "ait-errors", 'design, "Quality bars"',
        "Each fault names its packet and character; DecodeError alone leaves, at once.",
        held(test_ait="test_near_misses test_only_decode_errors_leave test_a_long_tape_is_read_and_refused_at_its_end"),
    ),
    Requirement(
        "ait-interlingua", 'design, "One idea"',
        "Every tape comes back from the IR; a tape of one packet is that EAP packet.",
        held(
            test_ait="test_tapes_come_back_from_the_ir test_what_a_tape_says"
            " test_a_tape_of_one_packet_is_that_eap_packet test_actions_that_are_no_action_codes_are_sealed",
        ),
    ),
    Requirement(
        "ait-refusals", 'eap.md, "AIT"',
        "What a tape cannot say in full is refused with the reason, never cut.",
        held(test_ait="test_packets_that_no_tape_says test_irs_that_no_tape_says"),
    ),
)  # fmt: skip

# --- Agent Lingua -----------------------------------------------------------------------------------------------------

LINGUA: Final = (
    Requirement(
        "lingua-syntax", 'seed, "Syntax Structure"',
        "Requests, compound ones, responses, errors, human language and signatures read as published.",
        held(test_lingua="test_vectors"),
    ),
    Requirement(
        "lingua-fields", 'agent-lingua.md, "Message grammar"',
        "Fields in any order, written in one; another twice, or one the kind lacks, is refused where it stands.",
        held(test_lingua="test_what_is_read_and_how_it_is_written test_errors_say_what_and_where"),
    ),
    Requirement(
        "lingua-tables", "seed, the tables",
        "All codes are there; an unknown one is an error that marks its character, answered with our version.",
        held(
            test_lingua="test_an_unknown_code_is_answered_with_our_version",
            test_lingua_interpret="test_the_documents_tables_are_all_there test_a_table_shows_its_codes",
            test_required="test_the_tables_of_agent_lingua_are_the_seeds"
            " test_an_agent_lingua_code_of_no_table_is_named_by_its_character",
        ),
    ),
    Requirement(
        "lingua-extension", "seed, the tables",
        "An installation gives meaning to domain F and action F and adds targets; nothing else moves.",
        held(
            test_lingua_interpret="test_an_installation_extends_the_tables"
            " test_a_wrong_extension_is_refused_with_its_path test_a_file_that_is_no_json_is_refused",
        ),
    ),
    Requirement(
        "lingua-raw", 'agent-lingua.md, "Message grammar"',
        "Raw text keeps every character by five escapes; blanks at its end are its own.",
        held(test_lingua="test_raw_text_keeps_every_character test_a_field_of_ordinary_text_gives_up_its_blanks"),
    ),
    Requirement(
        "lingua-payloads", 'seed, "Payload Encoding"',
        "Every text survives in every encoding; a JSON payload comes back to the digit and the type.",
        held(
            test_lingua="test_every_text_can_be_a_payload test_big_integers_stay_exact"
            " test_payloads_are_equal_to_the_letter test_a_payload_is_its_own_copy"
            " test_the_deepest_payload_comes_back",
            test_required="test_big_integers_of_agent_lingua_survive_every_format",
        ),
    ),
    Requirement(
        "lingua-hostile-payloads", 'agent-lingua.md, "Message grammar"',
        "What inflates beyond the limit, is cut, or is no base64, UTF-8 or strict JSON inside is a DecodeError.",
        held(
            test_lingua="test_a_zip_bomb_is_an_error_at_a_limit test_zlib_data_must_be_whole_and_alone"
            " test_json_inside_is_held_to_the_same_limits test_a_text_beyond_the_limit_is_refused",
        ),
    ),
    Requirement(
        "lingua-strict", 'agent-lingua.md, "Message grammar"',
        "strict wants a signature and no raw payload.",
        held(test_lingua="test_strict_wants_a_signature_and_no_raw_text"),
    ),
    Requirement(
        "lingua-messages", 'design, "Message JSON"',
        "Constructors and the JSON form refuse what no text can hold, with the path; messages are values.",
        held(
            test_lingua="test_constructors_refuse_what_no_text_can_hold"
            " test_a_list_of_conditions_or_operations_is_taken test_messages_are_hashable_and_equal_by_content"
            " test_a_wrong_json_form_is_refused_with_its_path test_the_json_form_has_all_fields_of_its_kind",
        ),
    ),
    Requirement(
        "lingua-injection", 'design, "Quality bars"',
        "Whatever one field holds, every other field, operation and line reads as before.",
        held(test_required="test_one_field_of_agent_lingua test_details_and_human_language_of_agent_lingua"),
    ),
    Requirement(
        "lingua-signature-lines", 'eap.md, "EAP packet"',
        "In a text of several messages, a signature line belongs to the message before.",
        held(test_required="test_a_signature_line_belongs_to_the_message_before"),
    ),
    Requirement(
        "lingua-interlingua", 'design, "One idea"',
        "Every IR comes back from a message, carried ones under a head that means the same.",
        held(
            test_lingua_interpret="test_irs_of_every_kind_come_back test_a_carrier_gives_back_what_was_put"
            " test_a_carried_ir_stands_under_a_head_that_means_the_same test_what_only_looks_carried_is_data",
        ),
    ),
    Requirement(
        "lingua-native", 'design, "One idea"',
        "What both sides can say has its own place on each; the rest stands in the metadata or travels whole.",
        held(
            test_lingua_interpret="test_what_both_can_say_is_said_natively"
            " test_what_only_agent_lingua_has_is_in_the_metadata test_what_would_be_said_otherwise_travels_whole"
            " test_request_of_nothing_but_codes test_a_value_that_is_no_text_is_named_whatever_its_name",
        ),
    ),
    Requirement(
        "lingua-correspondence", 'design, "One idea"',
        "Every code has a verb in its direction, every domain one of EAP's.",
        held(
            test_lingua_interpret="test_every_code_has_a_verb_and_every_verb_a_direction"
            " test_every_domain_has_one_of_eap test_a_verb_is_headed_in_its_own_direction",
        ),
    ),
    Requirement(
        "lingua-explain", 'design, "Public API"',
        "A message is one line for a person, in English and Japanese.",
        held(test_lingua_interpret="test_what_a_message_says"),
    ),
    Requirement(
        "lingua-times-grammar", 'seed, "Time Encoding"',
        "Delays, intervals and instants are read by their sign and keep their text; anything else is refused by place.",
        held(
            test_lingua_times="test_a_time_is_read_by_its_sign_and_keeps_its_text"
            " test_what_is_no_time_is_refused_by_name_and_place test_what_is_no_text_is_no_time"
            " test_the_calendar_decides_of_days_and_hours test_quick_test_and_reader_agree_and_nothing_else_is_raised"
            " test_long_texts_are_refused_at_once",
        ),
    ),
    Requirement(
        "lingua-times-delays", 'seed, "Time Encoding"',
        "A delay has one canonical text, largest unit first, and counts in elapsed time.",
        held(
            test_lingua_times="test_a_duration_has_one_canonical_text test_a_delay_counts_from_now"
            " test_a_delay_is_time_that_elapses test_durations_survive_the_text"
            " test_an_amount_is_the_sum_of_its_units",
        ),
    ),
    Requirement(
        "lingua-times-moments", 'seed, "Time Encoding"',
        "Instants are moments with one canonical text; an interval's next occurrence is the first that is later.",
        held(
            test_lingua_times="test_an_instant_is_a_moment test_a_moment_has_one_canonical_text"
            " test_moments_survive_the_text test_unix_seconds_of_the_years_1_to_9999_are_moments"
            " test_an_interval_comes_again test_the_next_occurrence_minds_zones"
            " test_the_next_occurrence_is_the_first_that_is_later",
        ),
    ),
    Requirement(
        "lingua-times-errors", 'design, "Public API"',
        "Computing with a time raises the library's errors alone, also where the calendar ends.",
        held(
            test_lingua_times="test_what_is_too_far_is_an_error_when_it_is_computed"
            " test_computing_raises_nothing_of_pythons_own test_what_cannot_be_made_is_refused_by_name",
        ),
    ),
    Requirement(
        "lingua-times-silp", 'design, "One idea"',
        "A delay of one unit and a time reference of SILP are the same, exactly and both ways; nothing else is.",
        held(
            test_lingua_times="test_a_delay_in_one_unit_is_a_time_reference_of_silp test_what_silp_cannot_say_is_none"
            " test_what_agent_lingua_cannot_say_is_none test_the_two_conversions_are_exact_inverses",
        ),
    ),
    Requirement(
        "lingua-conditions-grammar", 'seed, "Condition Encoding"',
        "A condition is a type, an operator and a value, or a part of how many; anything else is refused by place.",
        held(
            test_lingua_conditions="test_a_condition_is_read_and_written_to_the_letter"
            " test_what_is_no_condition_is_refused_by_name_and_place test_what_is_no_text_is_no_condition"
            " test_quick_test_and_reader_agree_and_nothing_else_is_raised test_what_is_made_is_read_back"
            " test_long_texts_are_refused_in_one_pass test_a_number_is_written_in_full"
            " test_what_cannot_be_made_is_refused_by_name",
        ),
    ),
    Requirement(
        "lingua-conditions-records", 'seed, "Condition Encoding"',
        "A record meets a condition or not, and is in one part; one that cannot be tested is an error, no False.",
        held(
            test_lingua_conditions="test_a_record_meets_a_condition_or_not test_numbers_compare_as_whole_numbers_do"
            " test_a_float_is_the_number_that_it_is_written_as"
            " test_a_condition_without_sense_is_an_error_when_it_is_tested"
            " test_a_record_that_cannot_be_tested_is_refused_by_field test_a_missing_field_may_be_given_an_answer"
            " test_fields_may_have_other_names test_all_conditions_of_a_request_must_hold"
            " test_parts_take_turns_by_place test_ids_are_placed_by_their_hash test_each_item_is_in_exactly_one_part",
        ),
    ),
    Requirement(
        "lingua-conditions-silp", 'design, "One idea"',
        "Every condition is a constraint of SILP and leads back; what has no condition is none.",
        held(
            test_lingua_conditions="test_a_condition_is_a_constraint_of_silp"
            " test_what_agent_lingua_cannot_say_is_none test_what_is_no_condition_has_no_constraint"
            " test_conditions_survive_silp test_constraints_survive_agent_lingua",
        ),
    ),
    Requirement(
        "lingua-abbreviations", 'agent-lingua.md, "JSON payload abbreviations"',
        "32 keys are shortened at every depth, reversibly for every JSON value; an ambiguous table is refused.",
        held(
            test_lingua_abbreviations="test_the_table_is_that_of_the_document test_each_key_has_one_short_form"
            " test_keys_are_shortened_at_every_depth_and_values_never test_every_json_value_comes_back"
            " test_no_two_keys_are_written_the_same test_what_peers_wrote_in_full_is_read_as_it_is"
            " test_a_key_both_short_and_long_is_refused test_an_installation_brings_its_own_table"
            " test_an_ambiguous_table_is_refused_by_key test_a_file_that_is_no_json_is_refused_by_name"
            " test_what_is_no_json_value_is_refused_by_path test_values_as_deep_as_a_text_may_be_come_back",
        ),
    ),
    Requirement(
        "lingua-handshake-steps", 'agent-lingua.md, "Handshake"',
        "Offer, accept, learning, rejection, query and end are written as published and survive their text.",
        held(
            test_lingua_handshake="test_an_offer_is_written_as_the_document_has_it"
            " test_answers_are_written_as_the_document_has_them test_a_query_and_an_end_are_bare_requests"
            " test_every_step_survives_its_text test_steps_are_read_from_plain_texts test_lists_become_tuples",
        ),
    ),
    Requirement(
        "lingua-handshake-reading", 'agent-lingua.md, "Handshake"',
        "Unknown fields are passed over, ordinary messages are no step, malformed content is refused by field.",
        held(
            test_lingua_handshake="test_what_a_later_version_may_add_is_passed_over"
            " test_ordinary_messages_are_no_part_of_it test_an_ordinary_answer_may_have_fields_of_the_same_name"
            " test_malformed_content_is_refused_by_field_and_place test_an_offer_without_its_object_is_refused"
            " test_reading_raises_decode_errors_alone test_what_cannot_be_made_is_refused_by_field"
            " test_a_key_is_read_in_every_form_of_base64",
        ),
    ),
    Requirement(
        "lingua-handshake-choice", 'agent-lingua.md, "Handshake"',
        "Both sides come to the highest level and version of both and the domains of both, or a rejection says why.",
        held(
            test_lingua_handshake="test_the_highest_level_of_both_is_taken"
            " test_a_suite_needs_what_belongs_to_it_on_both_sides"
            " test_what_cannot_be_agreed_on_is_rejected_with_the_reason"
            " test_the_version_is_the_highest_that_both_speak test_what_level_e_needs_is_asked_for"
            " test_both_sides_come_to_the_same",
        ),
    ),
    Requirement(
        "lingua-handshake-no-downgrade", 'agent-lingua.md, "Handshake"',
        "A level that is demanded is never lowered silently, nor anything accepted that was not offered.",
        held(
            test_lingua_handshake="test_a_peer_that_could_encrypt_is_told_why_not"
            " test_a_level_that_is_demanded_is_never_lowered"
            " test_a_level_that_is_demanded_and_can_be_had_changes_nothing test_an_offer_that_comes_back_is_an_attack"
            " test_no_demand_is_ever_answered_with_less test_an_answer_keeps_to_the_offer"
            " test_an_answer_that_fits_is_confirmed",
            test_lingua_handshake_states="test_a_lower_level_than_demanded_opens_nothing"
            " test_an_answer_beside_the_offer_opens_nothing",
        ),
    ),
    Requirement(
        "lingua-handshake-states", 'agent-lingua.md, "Handshake"',
        "A step leads where the transition table says, or is refused and changes nothing.",
        held(
            test_lingua_handshake_states="test_the_cells_are_all_there test_every_cell_is_kept"
            " test_both_sides_of_a_handshake_come_to_the_same test_ordinary_messages_pass_by"
            " test_an_end_is_of_the_session_that_is_open test_arguments_that_make_no_sense_are_refused_by_name",
        ),
    ),
)  # fmt: skip

# --- translation ------------------------------------------------------------------------------------------------------

TRANSLATION: Final = (
    Requirement(
        "translation-every-format", 'design, "Quality bars"',
        "decode(encode(m)) == m and from_json(to_json(m)) == m for every message of every kind.",
        held(
            test_pairs="test_every_kind_has_a_strategy test_what_is_encoded_decodes_to_the_same_message"
            " test_the_json_form_gives_the_same_message",
        ),
    ),
    Requirement(
        "translation-every-pair", 'design, "Quality bars"',
        "A -> B -> A is the identity for every ordered pair; what a target cannot hold it refuses with the reason.",
        held(test_pairs="test_there_and_back_gives_the_same_message"),
    ),
    Requirement(
        "translation-any-way", 'design, "One idea"',
        "Whatever formats a message goes through, it has in each the text that the direct way gives.",
        held(test_required="test_the_way_makes_no_difference"),
    ),
    Requirement(
        "translation-structure", 'design, "Quality bars"',
        "Operators, ids, repetitions, negated values, metadata, blanks and look-alikes survive every format.",
        held(test_required="test_no_structure_is_lost_in_any_format"),
    ),
    Requirement(
        "translation-no-silent-change", 'design, "One idea"',
        "A response stays one, an absent priority stays absent, a domain stays itself and text stays text.",
        held(test_required="test_nothing_changes_silently_on_the_way"),
    ),
    Requirement(
        "translation-heads", 'design, "One idea"',
        "The head of a carried message means in the target what it means in the source.",
        held(test_required="test_a_message_that_is_carried_has_a_head_that_means_the_same"),
    ),
    Requirement(
        "translation-ir", 'design, "One idea"',
        "M -> IR -> M is the identity and IR -> M -> IR an equivalence, forgeries and nesting included.",
        held(
            test_interlingua="test_every_message_comes_back_from_its_ir test_every_ir_comes_back_from_a_message"
            " test_messages_that_hold_sealed_messages_come_back",
        ),
    ),
    Requirement(
        "translation-trust", 'design, "One idea"',
        "Only what this library would have written itself is taken or opened; a forged carrier or seal is plain data.",
        held(
            test_interlingua="test_the_three_ways_of_a_message test_a_forged_carrier_is_plain_data"
            " test_a_forged_seal_is_carried_as_it_is",
        ),
    ),
    Requirement(
        "translation-frame", 'design, "One idea"',
        "An IR is its own message; a kind without a free-form place says why not; req_id is of the own text.",
        held(
            test_interlingua="test_an_ir_is_its_own_message"
            " test_a_kind_without_a_free_form_place_refuses_with_its_reason"
            " test_the_request_id_is_of_the_message_s_own_text",
        ),
    ),
    Requirement(
        "translation-injection", 'design, "Quality bars"',
        "One payload token, data value, target or name, whatever it holds, changes nothing but itself in any format.",
        held(
            test_injection="test_one_payload_token_of_slip test_one_data_value_of_eap test_the_target_of_eap"
            " test_names_of_agents",
        ),
    ),
    Requirement(
        "translation-detection", 'design, "Public API"',
        "What a format writes is read by that format alone, and found without being told.",
        held(test_pairs="test_detection_finds_the_format"),
    ),
    Requirement(
        "translation-explain", 'design, "Public API"',
        "Every message is one line for a person in both languages.",
        held(test_pairs="test_every_message_can_be_explained_in_one_line"),
    ),
)  # fmt: skip

# --- errors and limits ------------------------------------------------------------------------------------------------

ERRORS: Final = (
    Requirement(
        "errors-caret", 'design, "Public API"',
        "A DecodeError keeps format, text, span, line and column, and prints the text with a caret under the fault.",
        held(
            test_errors="test_caret_stands_under_the_span test_line_and_column_count_from_one_and_only_lf_ends_a_line"
            " test_wide_and_combining_characters_keep_the_caret_in_its_column"
            " test_moved_error_points_into_the_longer_text",
        ),
    ),
    Requirement(
        "errors-printing", 'design, "Public API"',
        "Printing an error never fails and shows what is invisible; errors survive pickling.",
        held(
            test_errors="test_printing_never_fails_and_shows_what_is_invisible"
            " test_errors_cross_process_borders_whole test_paths_and_reasons_are_printed_plainly",
        ),
    ),
    Requirement(
        "errors-short", 'design, "Public API"',
        "An error shows a window of a long text, and its reason repeats none.",
        held(test_errors="test_long_lines_are_cut_to_a_window", test_required="test_an_error_repeats_no_long_text"),
    ),
    Requirement(
        "errors-decoders", 'design, "Quality bars"',
        "Nothing but DecodeError leaves a decoder, whatever the text, and whatever is given for one.",
        held(
            test_required="test_a_broken_text_is_a_message_or_a_decode_error"
            " test_what_is_hardly_a_text_is_refused_by_every_reader test_what_is_no_text_at_all_is_refused"
            " test_a_finder_of_messages_refuses_what_is_no_text",
        ),
    ),
    Requirement(
        "errors-forms", 'design, "Message JSON"',
        "Nothing but EncodeError leaves from_json, whatever the form, with the path of the field.",
        held(
            test_required="test_a_broken_json_form_is_a_message_or_an_encode_error"
            " test_an_integer_that_cannot_be_printed_is_refused_by_its_path",
        ),
    ),
    Requirement(
        "errors-constructors", 'design, "Quality bars"',
        "No checked field of any constructor lets a trailing line end pass.",
        held(test_required="test_no_check_lets_a_trailing_line_end_pass"),
    ),
    Requirement(
        "errors-changed-irs", 'design, "Public API"',
        "An IR changed past its checks, and what is no IR, is refused with a documented error by every target.",
        held(
            test_required="test_an_ir_changed_past_its_checks_is_refused_by_every_target"
            " test_another_message_is_no_ir test_an_ir_built_without_its_fields_has_no_json_form",
        ),
    ),
    Requirement(
        "errors-lines", 'eap.md, "EAP packet"',
        "decode_all takes a message a line; only LF and CR LF end one, in every format.",
        held(test_required="test_only_lf_and_crlf_end_a_line_of_any_format"),
    ),
    Requirement(
        "limits-refused-everywhere", 'silp.md, "settled to the character"',
        "Lone surrogates, NaN, infinities, repeated keys and giant integers are refused in every format.",
        held(
            test_required="test_json_that_is_refused_everywhere",
            test_jsontext="test_refused_texts_name_the_reason_and_the_place test_string_literals_at_fault"
            " test_surrogate_pairs_become_one_character test_span_of_a_path",
        ),
    ),
    Requirement(
        "limits-integers", 'silp.md, "settled to the character"',
        "Integers are exact to 4,300 digits, and one more is refused, whatever the interpreter's own limit.",
        held(
            test_jsontext="test_integers_are_exact_up_to_the_limit_whatever_the_interpreter_allows"
            " test_big_integers_stay_exact test_integers_too_long_to_be_read_are_not_written"
            " test_an_interpreter_that_reads_fewer_digits_is_no_crash",
            test_required="test_an_interpreter_that_reads_fewer_digits_crashes_no_reader"
            " test_an_interpreter_that_writes_fewer_digits_crashes_no_writer",
        ),
    ),
    Requirement(
        "limits-depth", 'design, "Quality bars"',
        "JSON nests to a named limit in texts and in values, and one level more is a clear error.",
        held(
            test_jsontext="test_deep_nesting_is_refused_by_name test_nesting_up_to_the_limit_is_read"
            " test_value_depth_is_limited",
        ),
    ),
    Requirement(
        "limits-size", 'design, "Quality bars"',
        "No decoder looks at a text beyond the limit, at half characters, or at what is no text.",
        held(
            test_jsontext="test_received_strips_and_refuses",
            test_required="test_a_text_beyond_the_limit_is_refused_by_every_reader",
        ),
    ),
    Requirement(
        "limits-time", 'design, "Quality bars"',
        "Time is linear in the input: in its length, and in the number of its parts of any sort.",
        held(
            test_required="test_long_runs_end_in_every_format test_many_parts_are_all_read"
            " test_many_messages_are_read_or_refused",
        ),
    ),
    Requirement(
        "limits-json", 'silp.md, "settled to the character"',
        "Strict JSON is read and written to the type, with what cannot be seen escaped.",
        held(
            test_jsontext="test_what_is_written_is_read_back_to_the_type"
            " test_other_spellings_are_read_as_the_standard_library_reads_them"
            " test_a_quoted_string_is_read_back_and_hides_nothing test_values_that_no_text_carries",
        ),
    ),
)  # fmt: skip

REQUIREMENTS: Final = {
    "silp": SILP,
    "slip": SLIP,
    "ucr": UCR,
    "eap": EAP,
    "ait": AIT,
    "lingua": LINGUA,
    "translation": TRANSLATION,
    "errors": ERRORS,
}
"""All requirements by protocol; ``errors`` are errors and limits, whose ids begin with either word."""
